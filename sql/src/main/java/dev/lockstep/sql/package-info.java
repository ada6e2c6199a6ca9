// SPDX-License-Identifier: Apache-2.0
/**
 * What needs a library for databases: SQLite files, exports of Nsight Systems among them, and tables in Parquet. Start at
 * {@link dev.lockstep.sql.SqliteFile} or {@link dev.lockstep.sql.ParquetFile}.
 */
@NullMarked
package dev.lockstep.sql;

import org.jspecify.annotations.NullMarked;
