// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.chakra;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads execution traces of Chakra. Nodes become slices: at the times that they were recorded at, and where they were not, as early as
 * what they depend on allows.
 */
public final class ChakraReader implements TraceReader {
    private static final int HEAD = 512;

    /** The length of a message, which has a version or a schema. */
    private static final Pattern MESSAGES =
            Pattern.compile("^(?s:[\\x02-\\x7F](\\x0A[\\x01-\\x20]\\d+\\.\\d|\\x12.\\x0A\\x06schema)"
                    + "|[\\x80-\\xFF]\\x01\\x12.\\x0A\\x06schema)");

    private static final Pattern TEXT = Pattern.compile("^\\s*\\{\\s*\"workload_graph\"\\s*:");

    @Override
    public TraceFormat format() {
        return TraceFormat.CHAKRA;
    }

    @Override
    public boolean recognises(byte[] head) {
        String begin = new String(head, 0, Math.min(head.length, HEAD), StandardCharsets.ISO_8859_1);
        return MESSAGES.matcher(begin).find() || TEXT.matcher(begin).find();
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics packing, ReadOptions options)
            throws IOException {
        TraceBuilder builder = new TraceBuilder(1 << 10);
        builder.diagnostics().addAll(packing);
        NodeTable nodes = new NodeTable(builder.strings(), builder.diagnostics());
        byte[] head = content.head();
        if (head.length == 0) {
            throw unusable(input, "the file is empty, expected nodes of an execution trace");
        }
        if (head[0] == '{' || Character.isWhitespace(head[0]) && recognises(head)) {
            new NodesAsJson(content, options.progress(), nodes, builder.diagnostics()).read();
        } else {
            new NodesAsMessages(content, options.progress(), nodes, builder.diagnostics()).read();
        }
        if (nodes.size() == 0 && builder.diagnostics().hasLoss()) {
            throw unusable(input, "expected nodes of an execution trace");
        }
        GroupFile groups = GroupFile.beside(input.path());
        new NodeSlices(nodes, groups, builder).add();
        Rank rank = RankNames.unstated(input.path(), 0, true, builder.diagnostics());
        return List.of(
                builder.build(new TraceInfo(input.name(), TraceFormat.CHAKRA.id(), rank, -1, List.of(), 0, Map.of())));
    }

    private static TraceFormatException unusable(TraceInput input, String problem) {
        return new TraceFormatException(ErrorCode.FORMAT_CORRUPT, input.name(), 0, problem, TraceFormat.CHAKRA.hint());
    }
}
