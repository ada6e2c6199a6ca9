# SPDX-License-Identifier: Apache-2.0
import sys

from acelyzer.acelyzer import main

sys.exit(main())
