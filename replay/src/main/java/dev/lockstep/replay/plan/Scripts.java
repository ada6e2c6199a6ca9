// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Functions in TorchScript that stand in for operators, from {@code scripts.txt}. */
public final class Scripts {
    /** The namespace of such functions in plans. */
    public static final String NAMESPACE = "script::";

    private final List<OperatorSchema> schemas = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    public Scripts() {
        try (InputStream in = Objects.requireNonNull(Scripts.class.getResourceAsStream("scripts.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(NAMESPACE)) {
                    schemas.add(OperatorSchema.parse(line));
                } else if (!line.startsWith("#")) {
                    text.append(line).append('\n');
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The signatures of a name: one, or none. */
    public List<OperatorSchema> of(String name) {
        return schemas.stream().filter(schema -> schema.name().equals(name)).toList();
    }

    /** All functions, in TorchScript. */
    public String text() {
        return text.toString().strip() + "\n";
    }
}
