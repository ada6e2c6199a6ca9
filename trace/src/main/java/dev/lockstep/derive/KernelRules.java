// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells what device activities are for, by rules kept as data: one per line, first match wins. The format is described
 * at the top of {@code kernel-classes.txt}. Two rule lists with the same text are equal.
 */
public final class KernelRules {
    /** Stands in rules for kernels of which the trace says that they belong to a collective. */
    private static final String COLLECTIVE = "collective";

    /** Characters of a name that are looked at; compilers write names of some thousands. */
    private static final int MOST_JUDGED = 1 << 16;

    private static final KernelRules STANDARD =
            new KernelRules(resource(KernelRules.class.getResourceAsStream("kernel-classes.txt")));

    private record Rule(KernelClass kernelClass, String kind, Pattern pattern) {}

    private final String text;
    private final List<Rule> rules;

    /** The rules in a text, a line each. */
    public KernelRules(String text) {
        this.text = text;
        rules = parsed(text);
    }

    /** The rules that ship with the program. */
    public static KernelRules standard() {
        return STANDARD;
    }

    /**
     * The text of a resource. The module that has it opens it: others cannot.
     *
     * @param content the resource; it is closed
     * @throws IllegalStateException for null, which stands for a resource that is not there
     */
    public static String resource(@Nullable InputStream content) {
        try (InputStream in = content) {
            if (in == null) {
                throw new IllegalStateException("a resource is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class of every device activity of a trace by these rules, null elsewhere; not to be changed. */
    record Classes(KernelRules rules) implements Derived<KernelClass[]> {
        @Override
        public KernelClass[] derive(Trace trace, DerivedCache cache) {
            return rules.classify(trace);
        }
    }

    /** Each name is judged once. */
    private KernelClass[] classify(Trace trace) {
        Slices slices = trace.slices();
        KernelClass[] classes = new KernelClass[slices.size()];
        KernelClass[][] known = new KernelClass[SliceKind.values().length + 1][];
        CollectiveDetails collectives = trace.view(CollectiveDetails.KEY);
        for (int i = 0; i < classes.length; i++) {
            SliceKind kind = slices.kind(i);
            if (!kind.isDeviceActivity()) {
                continue;
            }
            boolean recorded = kind == SliceKind.KERNEL && collectives != null && collectives.of(i) >= 0;
            int place = recorded ? known.length - 1 : kind.ordinal();
            KernelClass[] byName = known[place];
            if (byName == null) {
                byName = new KernelClass[trace.strings().size()];
                known[place] = byName;
            }
            int name = slices.name(i);
            KernelClass found = byName[name];
            if (found == null) {
                found = judge(kind, recorded, trace.strings().get(name));
                byName[name] = found;
            }
            classes[i] = found;
        }
        return classes;
    }

    /** What a single activity of this kind and name is for; for lists of names, not for traces. */
    public KernelClass classOf(SliceKind kind, String name) {
        return judge(kind, false, name);
    }

    private KernelClass judge(SliceKind kind, boolean recorded, String wholeName) {
        String kindName = kind.name().toLowerCase(Locale.ROOT);
        String name = wholeName.substring(0, Math.min(MOST_JUDGED, wholeName.length()));
        for (Rule rule : rules) {
            if ((rule.kind.equals("*") || rule.kind.equals(kindName) || recorded && rule.kind.equals(COLLECTIVE))
                    && rule.pattern.matcher(name).find()) {
                return rule.kernelClass;
            }
        }
        return KernelClass.COMPUTE;
    }

    private static List<Rule> parsed(String text) {
        List<Rule> rules = new ArrayList<>();
        for (String line : text.split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> parts = Arrays.asList(line.strip().split("\\s+", 3));
                rules.add(new Rule(KernelClass.valueOf(parts.get(0)), parts.get(1), Pattern.compile(parts.get(2))));
            }
        }
        return List.copyOf(rules);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KernelRules that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
