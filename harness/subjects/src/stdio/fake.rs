//! A faux adapter with a mode for every misbehaviour; `streakstone adapter fake MODE`.
