module streakstone.dev/adapters

go 1.19
