// Of the copy that scripts/peers/ollama.sh builds in; here it keeps this folder out of the SDK's module.
module github.com/ollama/ollama

go 1.26.0

require (
	github.com/google/uuid v0.0.0
	streakstone.dev/adapters v0.0.0
)

replace (
	github.com/google/uuid => ./standin/uuid
	streakstone.dev/adapters => ./sdk
)
