// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.replay.plan.OperatorSchema;
import dev.lockstep.replay.plan.Scripts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.FunctionSchema;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.OperatorHandleOptional;
import org.bytedeco.pytorch.OperatorName;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** What the dispatcher knows. Handles stay valid as long as the process lives. */
final class Schemas {
    private static final String SCHEMA_LINE = "schema: ";

    private final Map<String, List<String>> overloads = new HashMap<>();
    private final Map<String, List<OperatorSchema>> schemas = new HashMap<>();
    private final Map<String, OperatorHandle> handles = new HashMap<>();
    private final Scripts scripts = new Scripts();
    private @Nullable CompilationUnit compiled;

    /** Takes the values from the stack and puts the results onto it. */
    interface Body {
        void call(IValueVector stack);
    }

    /**
     * Something that can be called.
     *
     * @param schema the signature as the framework knows it; null for scripts
     * @param text the signature in words
     */
    record Callee(@Nullable FunctionSchema schema, Body body, String text) {}

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
        if (name.startsWith(Scripts.NAMESPACE)) {
            return scripts.of(name);
        }
        return schemas.computeIfAbsent(name, this::find);
    }

    private List<OperatorSchema> find(String name) {
        List<OperatorSchema> found = new ArrayList<>();
        for (String overload : overloads.getOrDefault(name, List.of())) {
            OperatorHandle handle = handle(name, overload);
            if (handle.hasSchema()) {
                found.add(OperatorSchema.parse(text(handle)));
            }
        }
        return found;
    }

    /** What a signature stands for, ready to be called. */
    Callee callee(OperatorSchema schema) {
        if (schema.name().startsWith(Scripts.NAMESPACE)) {
            String function = schema.name().substring(Scripts.NAMESPACE.length());
            return new Callee(null, compiled().get_function(new QualifiedName(function))::run, schema.name());
        }
        OperatorHandle handle = handle(schema.name(), schema.overload());
        return new Callee(handle.schema(), handle::callBoxed, text(handle));
    }

    private CompilationUnit compiled() {
        if (compiled == null) {
            compiled = torch.compile(scripts.text());
        }
        return compiled;
    }

    private static String text(OperatorHandle handle) {
        try (BytePointer state = handle.dumpState()) {
            return state.getString()
                    .lines()
                    .filter(line -> line.startsWith(SCHEMA_LINE))
                    .findFirst()
                    .map(line -> line.substring(SCHEMA_LINE.length()))
                    .orElse("");
        }
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
