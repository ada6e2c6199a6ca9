// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.replay.OperatorSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.OperatorHandleOptional;
import org.bytedeco.pytorch.OperatorName;

/** What the dispatcher knows. Handles stay valid as long as the process lives. */
final class Schemas {
    private static final String SCHEMA_LINE = "schema: ";

    private final Map<String, List<String>> overloads = new HashMap<>();
    private final Map<String, List<OperatorSchema>> schemas = new HashMap<>();
    private final Map<String, OperatorHandle> handles = new HashMap<>();

    Schemas() {
        try (PointerScope scope = new PointerScope()) {
            OperatorName all = Dispatcher.singleton().getAllOpNames();
            for (long i = 0; i < all.limit(); i++) {
                OperatorName name = all.getPointer(OperatorName.class, i);
                overloads
                        .computeIfAbsent(name.name().getString(), n -> new ArrayList<>())
                        .add(text(name.overload_name()));
            }
        }
    }

    /** The text, empty for a null pointer, which stands for the default overload. */
    private static String text(BytePointer pointer) {
        return pointer == null || pointer.isNull() ? "" : pointer.getString();
    }

    /** All signatures of a name. */
    List<OperatorSchema> of(String name) {
        return schemas.computeIfAbsent(name, this::find);
    }

    private List<OperatorSchema> find(String name) {
        List<OperatorSchema> found = new ArrayList<>();
        for (String overload : overloads.getOrDefault(name, List.of())) {
            OperatorHandle handle = handle(name, overload);
            if (handle.hasSchema()) {
                try (BytePointer state = handle.dumpState()) {
                    state.getString()
                            .lines()
                            .filter(line -> line.startsWith(SCHEMA_LINE))
                            .forEach(line -> found.add(OperatorSchema.parse(line.substring(SCHEMA_LINE.length()))));
                }
            }
        }
        return found;
    }

    OperatorHandle handle(OperatorSchema schema) {
        return handle(schema.name(), schema.overload());
    }

    private OperatorHandle handle(String name, String overload) {
        return handles.computeIfAbsent(name + "." + overload, key -> find(name, overload));
    }

    /** A copy: what the dispatcher returns goes with the optional around it. */
    private static OperatorHandle find(String name, String overload) {
        try (OperatorName key = new OperatorName(name, overload);
                OperatorHandleOptional found = Dispatcher.singleton().findOp(key)) {
            return new OperatorHandle(found.get());
        }
    }
}
