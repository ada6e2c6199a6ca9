// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.model.TraceBuilder;
import java.util.ArrayList;
import java.util.List;

/** The compiled programs of a file, as they stand in it, until it is known which of their instructions ran. */
final class HloPrograms {
    private record Program(String name, long id, byte[] hlo) {}

    private final List<Program> programs = new ArrayList<>();

    void add(String name, long id, byte[] hlo) {
        programs.add(new Program(name, id, hlo));
    }

    void resolve(TraceBuilder builder) {
        // next
    }
}
