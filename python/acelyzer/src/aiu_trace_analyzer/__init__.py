# SPDX-License-Identifier: Apache-2.0
"""Stands in for the package of acelyzer; see core.acelyzer."""

__version__ = "1.2.0"
