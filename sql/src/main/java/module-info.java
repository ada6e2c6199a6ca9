// SPDX-License-Identifier: Apache-2.0
/**
 * What databases need a library for: exports of Nsight Systems, tables in Parquet.
 */
module dev.lockstep.sql {
    requires transitive dev.lockstep.explain;
    requires transitive dev.lockstep.goal;
    requires static transitive org.jspecify;
    requires duckdb.jdbc;
    requires java.sql;
    requires org.xerial.sqlitejdbc;

    exports dev.lockstep.sql to
            dev.lockstep.bench,
            dev.lockstep.cli;

    provides dev.lockstep.read.TraceReader with
            dev.lockstep.sql.NsysReader,
            dev.lockstep.sql.RocpdReader,
            dev.lockstep.sql.RocprofDatabaseReader,
            dev.lockstep.sql.AscendReader;
    provides dev.lockstep.read.nsys.NsysExports with
            dev.lockstep.sql.SqliteNsysExports;
    provides dev.lockstep.tabular.SheetFormat with
            dev.lockstep.sql.ParquetSheets;
    provides dev.lockstep.write.ReportWriter with
            dev.lockstep.sql.ParquetWriter;
}
