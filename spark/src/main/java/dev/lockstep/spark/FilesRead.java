// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Tells the program that started the job how many files were read. */
final class FilesRead extends SparkListener {
    private final PrintStream out;
    private final int files;
    private final AtomicInteger done = new AtomicInteger();

    FilesRead(PrintStream out, int files) {
        this.out = out;
        this.files = files;
    }

    /** Files are read in the first stage. */
    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.stageId() == 0) {
            out.println("read " + Math.min(files, done.incrementAndGet()) + " of " + files + " files");
        }
    }
}
