// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.model.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How another tool lists and draws kernels. */
public interface KernelDialect {
    /** The kinds that it tells apart. */
    KernelCategories categories();

    /**
     * What its extractor shall take; null stands for what the tool takes by itself.
     *
     * @param devices that count
     * @param fields what tells kernels apart
     * @param exclude parts of names whose kernels are left out
     * @param prefix what names of files begin with
     */
    record Choice(
            @Nullable List<String> devices,
            @Nullable List<String> fields,
            @Nullable List<String> exclude,
            String prefix) {}

    /**
     * How many kernels were found.
     *
     * @param unique different ones
     * @param kept all that count
     */
    record Found(int unique, long kept) {}

    /**
     * Writes the files of a trace into a folder that exists.
     *
     * @param trace read with everything that its file says
     * @param name of the trace, as the user named it
     */
    Found extract(Choice choice, Trace trace, String name, Path folder) throws IOException;

    /**
     * Writes the files of lists of kernels into a folder that exists.
     *
     * @param computeLists lists that say which kernels are computation
     */
    Found extract(Choice choice, List<Path> lists, List<Path> computeLists, Path folder) throws IOException;

    /**
     * Writes the kinds of a list of unique kernels into a folder that exists.
     *
     * @param shapes a log of the shapes of linear layers, or null
     */
    void signatures(Choice choice, Path unique, @Nullable Path shapes, Path folder) throws IOException;

    /**
     * What is charted.
     *
     * @param most so many kernels of each device, 0 for all
     * @param threshold share of a stream's time in communication from which on it is called communication
     */
    record Charted(int most, double threshold) {}

    /**
     * Draws the kernels of a rank, a chart and lists for each device, into a folder that exists.
     *
     * @param trace read with everything that its file says
     * @return how many devices have kernels
     */
    int charts(Charted what, Trace trace, int rank, Path folder) throws IOException;
}
