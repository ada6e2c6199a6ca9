// SPDX-License-Identifier: Apache-2.0
/**
 * What needs a library for databases: reading SQLite files, and exports of Nsight Systems among them. Start at
 * {@link dev.lockstep.sql.SqliteFile}.
 */
@NullMarked
package dev.lockstep.sql;

import org.jspecify.annotations.NullMarked;
