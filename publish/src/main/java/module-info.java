// SPDX-License-Identifier: Apache-2.0
/**
 * What reports need libraries for: workbooks, pictures, and pages that hold them.
 */
module dev.lockstep.publish {
    requires transitive dev.lockstep.replay;
    requires transitive dev.lockstep.runs;
    requires static transitive org.jspecify;
    requires java.desktop;
    requires com.fasterxml.aalto;
    requires java.xml;

    exports dev.lockstep.publish.figures to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.publish.metrics to
            dev.lockstep.cli;
    exports dev.lockstep.publish.page to
            dev.lockstep.cli,
            dev.lockstep.compat;
    exports dev.lockstep.publish.plot to
            dev.lockstep.cli,
            dev.lockstep.compat;

    provides dev.lockstep.tabular.SheetFormat with
            dev.lockstep.publish.WorkbookFormat;
    provides dev.lockstep.write.ReportWriter with
            dev.lockstep.publish.JsonSummaryWriter,
            dev.lockstep.publish.MarkdownWriter,
            dev.lockstep.publish.WorkbookWriter,
            dev.lockstep.publish.metrics.OpenTelemetryWriter,
            dev.lockstep.publish.metrics.PrometheusWriter;
    provides dev.lockstep.write.StyledWorkbookWriter with
            dev.lockstep.publish.StyledWorkbookFile;
}
