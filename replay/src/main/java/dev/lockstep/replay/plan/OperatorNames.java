// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** What a recorded name tells about what stands behind it. */
final class OperatorNames {
    private static final String ATEN = "aten::";
    private static final List<String> COLLECTIVES = List.of(
            "c10d::",
            "_c10d_functional::",
            "_c10d_functional_autograd::",
            "c10d_functional::",
            "record_param_comms",
            "nccl:",
            "gloo:",
            "rccl:");
    private static final Pattern AUTOGRAD = Pattern.compile("\\w+Backward\\d*");
    private static final List<String> WRAPPERS = List.of(
            "autograd::",
            "torch::autograd::",
            "torch::distributed::",
            "torch.distributed.",
            "torch::jit::",
            "profiler::",
            "DistributedDataParallel.",
            "FullyShardedDataParallel.",
            "FSDP::",
            "Optimizer.",
            "ProfilerStep",
            "enumerate(DataLoader)",
            "Pregraph bytecode",
            "Torch-Compiled Region",
            "TorchDynamo",
            "AOTDispatcher",
            "[pytorch|");

    private static final Set<String> REFUSED = refused();
    private static final Scripts SCRIPTS = new Scripts();

    private final Set<String> bookkeeping = new HashSet<>();
    private final Set<String> working = new HashSet<>();
    private final Set<String> substituted = new HashSet<>();

    OperatorNames() {
        Set<String> section = bookkeeping;
        for (String line : lines("operators.txt")) {
            if (line.startsWith("[")) {
                section = line.equals("[working]") ? working : bookkeeping;
            } else {
                section.addAll(List.of(line.split(" ")));
            }
        }
        lines("substitutes.txt").forEach(line -> substituted.add(line.substring(0, line.indexOf(' '))));
    }

    private static Set<String> refused() {
        Set<String> names = new HashSet<>();
        lines("refused.txt").forEach(line -> names.addAll(List.of(line.split(" "))));
        return Set.copyOf(names);
    }

    /**
     * Whether no recording may have it run: it could reach files, others or code outside of the replay. Of scripts, those of
     * the program may run and no other.
     */
    static boolean isRefused(String name) {
        int end = name.indexOf("::");
        return name.startsWith(Scripts.NAMESPACE)
                ? SCRIPTS.of(name).isEmpty()
                : REFUSED.contains(name) || end >= 0 && REFUSED.contains(name.substring(0, end + 2));
    }

    /** The lines of a resource, without comments and empty ones. */
    static List<String> lines(String resource) {
        List<String> lines = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(OperatorNames.class.getResourceAsStream(resource), resource);
                BufferedReader text = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    lines.add(line.strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    boolean isCollective(String name) {
        return COLLECTIVES.stream().anyMatch(name::startsWith);
    }

    /** Whether it is an operator of the framework or of a library that adds some: a namespace and a name. */
    boolean isOperator(String name) {
        return name.contains("::") && !isWrapper(name) && !name.contains(" ");
    }

    /** Whether it is a mark around other calls, of autograd, optimizers or loaders. */
    boolean isWrapper(String name) {
        return AUTOGRAD.matcher(name).matches() || WRAPPERS.stream().anyMatch(name::startsWith);
    }

    boolean isBookkeeping(String name) {
        return name.startsWith(ATEN) && bookkeeping.contains(name.substring(ATEN.length()));
    }

    /** Whether something can stand in for the operator as a whole. */
    boolean hasSubstitute(String name) {
        return substituted.contains(name);
    }

    /** Whether it works itself, whatever it calls besides. */
    boolean isWorking(String name) {
        return name.startsWith(ATEN) && working.contains(name.substring(ATEN.length()));
    }

    /** Whether a call is only the second mark of the call around it, as autograd leaves them. */
    static boolean isEcho(String name, String around) {
        return !name.contains(":") && around.endsWith("::" + name);
    }
}
