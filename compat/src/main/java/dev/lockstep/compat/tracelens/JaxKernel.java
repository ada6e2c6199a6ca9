// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.codec.Json;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of a JAX profile as TraceLens sees it.
 *
 * @param uid its place among the events of the file
 * @param us duration
 * @param ns duration
 * @param dims shapes of the operands of its instruction
 * @param types of the elements of the operands
 * @param output shape of the result, of several of the first; empty where it is not known
 * @param target the function of a library that its instruction calls, as the program spells it
 * @param details what is said of it and its instruction
 * @param latency from the start of its launch to its own, in µs; null where no launch is known
 */
record JaxKernel(
        long uid,
        String name,
        String category,
        double us,
        long ns,
        long process,
        long thread,
        List<Value> dims,
        List<Value> types,
        List<Long> output,
        String target,
        List<Parameter> details,
        @Nullable Double latency) {
    static final String OF_XLA = "Uncategorized Events/XLA";
    private static final String UNKNOWN = "NA";
    private static final Pattern COPY = Pattern.compile("(?i)^(copy|memcpy|memset)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern ARRAY = Pattern.compile("^\\(?(\\w++)\\[([\\d,]*+)\\]");

    private static final Map<String, Long> BYTES = Map.ofEntries(
            Map.entry("pred", 1L),
            Map.entry("s8", 1L),
            Map.entry("u8", 1L),
            Map.entry("s16", 2L),
            Map.entry("u16", 2L),
            Map.entry("f16", 2L),
            Map.entry("bf16", 2L),
            Map.entry("s32", 4L),
            Map.entry("u32", 4L),
            Map.entry("f32", 4L),
            Map.entry("s64", 8L),
            Map.entry("u64", 8L),
            Map.entry("f64", 8L),
            Map.entry("c64", 8L),
            Map.entry("c128", 16L));

    /** First match counts; words are sought in names. */
    private static final List<Map.Entry<String, List<String>>> CATEGORIES = List.of(
            Map.entry("GEMM", List.of("Cijk", "gemm", "nvjet", "cublasLt")),
            Map.entry("FA BWD", List.of("FmhaBwd", "flash_bprop", "ck_fused_attn::dk_dv_reduce_thd", "fmha_bwd")),
            Map.entry("FA FWD", List.of("FmhaFwd", "flash_fprop", "fmha_fwd")),
            Map.entry("FA V3", List.of("kernel_func")),
            Map.entry("Conv", List.of("conv_", "conv.", "conv-")),
            Map.entry("TE", List.of("transformer_engine", "te_fused_attn")),
            Map.entry("Communication rccl/nccl", List.of("rccl", "nccl")));

    /** The kernels of a rank, in order of the file. */
    static List<JaxKernel> of(DerivedCache rank) {
        Trace trace = rank.trace();
        Slices slices = trace.slices();
        LaunchLinks links = rank.get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        XlaDetails xla = trace.view(XlaDetails.KEY);
        Map<Integer, Operands> operands = new HashMap<>();
        List<JaxKernel> kernels = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()
                    && !COPY.matcher(trace.name(i)).find()) {
                int row = xla == null ? -1 : xla.of(i);
                int said = xla == null || row < 0 ? -1 : xla.operands(row);
                Operands of = operands.computeIfAbsent(said, id -> Operands.of(text(trace, id)));
                kernels.add(of(trace, xla, i, links.launchOf(i), of));
            }
        }
        return kernels;
    }

    /** What an instruction works on, as the program spells it, and the shapes and types of those that are arrays. */
    private record Operands(List<String> texts, List<Value> dims, List<Value> types) {
        static Operands of(String json) {
            List<String> texts = operands(json);
            List<Value> dims = new ArrayList<>();
            List<Value> types = new ArrayList<>();
            for (String operand : texts) {
                Matcher array = ARRAY.matcher(operand);
                if (array.lookingAt()) {
                    dims.add(Value.tuple(JaxKernel.dims(array.group(2)).stream()
                            .map(Value::of)
                            .toArray(Value[]::new)));
                    types.add(Value.of(array.group(1)));
                }
            }
            return new Operands(texts, dims, types);
        }
    }

    private static JaxKernel of(Trace trace, @Nullable XlaDetails xla, int slice, int launch, Operands operands) {
        Slices slices = trace.slices();
        int row = xla == null ? -1 : xla.of(slice);
        Track track = trace.tracks().get(slices.track(slice));
        String instruction = xla == null || row < 0 ? "" : text(trace, xla.instruction(row));
        Matcher output = ARRAY.matcher(xla == null || row < 0 ? "" : text(trace, xla.shape(row)));
        double us = MicrosecondDoubles.of(slices.dur(slice));
        String target = xla == null || row < 0 ? "" : text(trace, xla.target(row));
        String custom = target.isEmpty() ? UNKNOWN : "custom_call_target=\"" + target + "\"";
        List<Parameter> details = new ArrayList<>(List.of(
                new Parameter("name", Value.of(trace.name(slice))),
                new Parameter("dur", Value.of(us)),
                new Parameter("custom_call_target", Value.of(custom)),
                new Parameter(
                        "operands",
                        Value.list(operands.texts.stream().map(Value::of).toList())),
                new Parameter("outputs", Value.of(UNKNOWN)),
                new Parameter("metadata", Value.of(xla == null || row < 0 ? UNKNOWN : metadata(trace, xla, row)))));
        Double latency =
                launch < 0 ? null : MicrosecondDoubles.start(slices, slice) - MicrosecondDoubles.start(slices, launch);
        return new JaxKernel(
                slices.index(slice),
                trace.name(slice),
                category(trace.name(slice), instruction),
                us,
                slices.dur(slice),
                number(track.process()),
                number(track.thread()),
                operands.dims,
                operands.types,
                output.lookingAt() ? dims(output.group(2)) : List.of(),
                target,
                details,
                latency);
    }

    private static String text(Trace trace, int id) {
        return id < 0 ? "" : trace.strings().get(id);
    }

    private static long number(String text) {
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
    }

    private static List<String> operands(String json) {
        try {
            return json.isEmpty() || !(Json.parse(json) instanceof Json.Items all)
                    ? List.of()
                    : all.items().stream()
                            .map(one -> one instanceof Json.Text text ? text.value() : "")
                            .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static List<Long> dims(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",")).map(Long::valueOf).toList();
    }

    /** As the text of a program has it, without its last brace. */
    private static String metadata(Trace trace, XlaDetails xla, int row) {
        String operator = text(trace, xla.operator(row));
        String source = text(trace, xla.source(row));
        if (operator.isEmpty() && source.isEmpty()) {
            return UNKNOWN;
        }
        int colon = source.lastIndexOf(':');
        String place = colon < 0
                ? ""
                : " source_file=\"" + source.substring(0, colon) + "\" source_line=" + source.substring(colon + 1);
        return "metadata={op_name=\"" + operator + "\"" + place;
    }

    private static String category(String name, String instruction) {
        String byName = category(name);
        String byInstruction = category(instruction);
        return byName.startsWith("FA ") || byInstruction.equals(OF_XLA) ? byName : byInstruction;
    }

    private static String category(String name) {
        for (Map.Entry<String, List<String>> category : CATEGORIES) {
            if (category.getValue().stream().anyMatch(name::contains)) {
                return category.getKey();
            }
        }
        return OF_XLA;
    }

    /** Bytes of all operands. */
    long inputBytes() {
        long sum = 0;
        for (int i = 0; i < dims.size(); i++) {
            long product = BYTES.getOrDefault(((Value.Text) types.get(i)).value(), 1L);
            for (Value dimension : ((Value.Sequence) dims.get(i)).values()) {
                product *= ((Value.Int) dimension).value();
            }
            sum += product;
        }
        return sum;
    }

    /** Bytes of an element of the first operand. */
    long elementBytes() {
        return types.isEmpty() ? 1 : BYTES.getOrDefault(((Value.Text) types.getFirst()).value(), 1L);
    }

    String dimsText() {
        return PythonValues.repr(Value.tuple(dims.toArray(Value[]::new)));
    }

    String typesText() {
        return PythonValues.repr(Value.tuple(types.toArray(Value[]::new)));
    }
}
