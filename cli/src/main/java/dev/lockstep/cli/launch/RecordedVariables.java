// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.codec.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The environment variables that a manifest may hold with their values: those that are known to steer libraries of
 * collectives, devices and launchers, listed in {@code recorded-variables.txt}. Of others it holds the names.
 */
final class RecordedVariables {
    private static final Pattern HEEDED =
            Pattern.compile("(NCCL|RCCL|HSA|HIP|ROCR|ROCM|AMD|CUDA|TORCH|PYTORCH|GLOO|OMP|MKL"
                    + "|SLURM|UCX|FI|GPU|MIOPEN|HIPBLASLT|ROCBLAS)_.*");

    private static final Set<String> NAMES = names();

    private RecordedVariables() {}

    private static Set<String> names() {
        try (InputStream file =
                Objects.requireNonNull(RecordedVariables.class.getResourceAsStream("recorded-variables.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the value may be written down. */
    static boolean isRecorded(String name) {
        return NAMES.contains(name) && !Secrets.isSecretName(name);
    }

    /** What is written down of a variable: its value with what is secret in it hidden, or nothing. */
    static Optional<String> value(String name, String value) {
        return isRecorded(name) ? Optional.of(new Secrets().text(value)) : Optional.empty();
    }

    /** Those of the environment that a trainer may heed, each with what is written down of it. */
    static Map<String, Optional<String>> heeded(Map<String, String> environment) {
        Map<String, Optional<String>> heeded = new TreeMap<>();
        environment.forEach((name, value) -> {
            if (NAMES.contains(name) || HEEDED.matcher(name).matches()) {
                heeded.put(name, value(name, value));
            }
        });
        return Collections.unmodifiableMap(heeded);
    }
}
