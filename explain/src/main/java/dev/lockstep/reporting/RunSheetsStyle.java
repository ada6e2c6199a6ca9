// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

/** A tool that is stood in for and that has sheets of a run of several ranks, and nothing beside them. */
public interface RunSheetsStyle {
    /** The sheets, with the values of that tool. */
    CompanionSheets sheetsOfRanks();
}
