#!/usr/bin/env bash
# Random replies of every dialect come back as they were written.
set -euo pipefail
bash scripts/generated.sh 50000
