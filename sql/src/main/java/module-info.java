// SPDX-License-Identifier: Apache-2.0
/**
 * What databases need a library for: exports of Nsight Systems.
 */
module dev.lockstep.sql {
    requires transitive dev.lockstep.goal;
    requires static transitive org.jspecify;
    requires java.sql;
    requires org.xerial.sqlitejdbc;

    provides dev.lockstep.read.TraceReader with
            dev.lockstep.sql.NsysReader;
    provides dev.lockstep.read.nsys.NsysExports with
            dev.lockstep.sql.SqliteNsysExports;
}
