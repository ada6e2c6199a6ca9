// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.TableKey;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.read.perfetto.Annotations.Kind;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The arguments of the event that is being read, as the model wants them. Reused from event to event. */
final class ArgumentValues {
    private static final KnownArgument[] KNOWN = KnownArgument.values();
    /** Side tables of slices. */
    private static final List<TableKey<?>> TABLES = KnownArgument.OF_TABLES.stream()
            .<TableKey<?>>map(known -> Objects.requireNonNull(known.table()))
            .filter(table -> !table.equals(MemoryDetails.KEY))
            .distinct()
            .toList();

    private static final int DEVICE = TABLES.indexOf(DeviceDetails.KEY);
    /** By place in {@link #TABLES}: the arguments that stand there, and the bits that say which of them are present. */
    private static final KnownArgument[][] ARGUMENTS = TABLES.stream()
            .map(table -> KnownArgument.OF_TABLES.stream()
                    .filter(known -> table.equals(known.table()))
                    .toArray(KnownArgument[]::new))
            .toArray(KnownArgument[][]::new);

    private static final long[] BITS = Arrays.stream(ARGUMENTS)
            .mapToLong(of ->
                    Arrays.stream(of).mapToLong(known -> 1L << known.ordinal()).sum())
            .toArray();

    private static final List<KnownArgument> MEMORY = KnownArgument.OF_TABLES.stream()
            .filter(known -> MemoryDetails.KEY.equals(known.table()))
            .toList();

    private final long[] values = new long[KNOWN.length];
    private final boolean[] strong = new boolean[KNOWN.length];
    private long present;
    private final @Nullable DetailRows[] rows = new DetailRows[TABLES.size()];
    private final @Nullable KeptArguments kept;
    private final Annotations said = new Annotations();

    /** @param kept takes all arguments, if arguments that the model does not know are to be kept, too */
    ArgumentValues(@Nullable KeptArguments kept) {
        this.kept = kept;
    }

    void clear() {
        present = 0;
        if (kept != null) {
            kept.clear();
        }
    }

    /** Takes an annotation. */
    void take(Annotations a, RankEvents events) {
        if (a.name < 0) {
            return;
        }
        ArgumentName name = events.argumentAt(a.name);
        KnownArgument known = name.known();
        boolean isId = known == KnownArgument.CORRELATION || known == KnownArgument.EXTERNAL_ID;
        if (isId && a.kind == Kind.NUMBER) {
            a.number = events.recordedId(a.number);
        }
        if (kept != null) {
            int role = !isId
                    ? RecordedText.PLAIN
                    : known == KnownArgument.CORRELATION ? RecordedText.CORRELATION : RecordedText.EXTERNAL_ID;
            kept.add(name, role, a);
        }
        if (known == null) {
            return;
        }
        int i = known.ordinal();
        if (has(known) && strong[i] && !name.strong()) {
            return;
        }
        long value = known.isNumber()
                ? number(a, events.strings())
                : known.isReal() ? real(a) : text(a, known, events.strings());
        boolean none = value == -1 && a.kind != Kind.NUMBER;
        if (value == -1 && name.strong() || none && known == KnownArgument.MEMORY_BYTES) {
            return;
        }
        values[i] = value;
        strong[i] = name.strong();
        present |= 1L << i;
    }

    /** A number, -1 when absent. */
    long number(KnownArgument known) {
        return has(known) ? values[known.ordinal()] : -1;
    }

    /** Sets a number that stands elsewhere than among the arguments. */
    void set(KnownArgument known, long value) {
        values[known.ordinal()] = value;
        present |= 1L << known.ordinal();
    }

    /** Takes a number that stands elsewhere as if it were an argument. */
    void take(String name, long value, RankEvents events) {
        said.name = events.argument(name);
        said.kind = Kind.NUMBER;
        said.number = value;
        take(said, events);
    }

    boolean has(KnownArgument known) {
        return (present & 1L << known.ordinal()) != 0;
    }

    /** What the arguments say of a device, to be given back to {@link #restoreDevice}. */
    long[] ofDevice() {
        long[] of = new long[ARGUMENTS[DEVICE].length];
        Arrays.setAll(of, i -> number(ARGUMENTS[DEVICE][i]));
        return of;
    }

    /** Takes what an event said of a device for the arguments of the one that is being read. */
    void restoreDevice(long[] of) {
        clear();
        for (int i = 0; i < of.length; i++) {
            if (of[i] != -1) {
                set(ARGUMENTS[DEVICE][i], of[i]);
            }
        }
    }

    /** Adds the rows of side tables for a slice. */
    void details(TraceBuilder builder, int slice, boolean onDevice) {
        for (int i = 0; i < BITS.length; i++) {
            if ((present & BITS[i]) == 0 || i == DEVICE && !onDevice) {
                continue;
            }
            DetailRows table = rows(i, builder);
            table.add(slice);
            for (KnownArgument known : ARGUMENTS[i]) {
                if (!has(known)) {
                    continue;
                }
                if (known.isNumber() || known.isReal()) {
                    table.number(known.column(), values[known.ordinal()]);
                } else {
                    table.text(known.column(), (int) values[known.ordinal()]);
                }
            }
        }
    }

    /** Adds the row of the memory that was allocated or freed at a mark. */
    void memory(TraceBuilder builder, int mark) {
        DetailRows table = builder.markDetails(MemoryDetails.KEY);
        table.add(mark);
        for (KnownArgument known : MEMORY) {
            table.number(known.column(), number(known));
        }
    }

    private DetailRows rows(int table, TraceBuilder builder) {
        DetailRows known = rows[table];
        if (known == null) {
            known = builder.details(TABLES.get(table));
            rows[table] = known;
        }
        return known;
    }

    private static long number(Annotations a, StringPool pool) {
        if (a.kind == Kind.NUMBER) {
            return a.number;
        }
        if (a.kind == Kind.STRING && pool.get(a.text).matches("-?\\d{1,18}")) {
            return Long.parseLong(pool.get(a.text));
        }
        double value = a.kind == Kind.DOUBLE ? Double.longBitsToDouble(a.number) : Double.NaN;
        return value == Math.rint(value) && Math.abs(value) < 1L << 53 ? (long) value : -1;
    }

    /** The bits of a double, -1 when it is none. */
    private static long real(Annotations a) {
        double value = switch (a.kind) {
            case DOUBLE -> Double.longBitsToDouble(a.number);
            case NUMBER -> a.number;
            default -> Double.NaN;
        };
        return Double.isFinite(value) ? Double.doubleToRawLongBits(value) : -1;
    }

    private static int text(Annotations a, KnownArgument known, StringPool pool) {
        if (a.kind == Kind.JSON) {
            return a.text;
        }
        if (a.kind != Kind.STRING) {
            return pool.intern(a.spelt(pool));
        }
        String text = pool.get(a.text);
        if (!known.isStructure()) {
            return text.isEmpty() ? -1 : a.text;
        }
        boolean structure = text.startsWith("[") || text.startsWith("{");
        return pool.intern(structure ? JsonValues.structure(text) : JsonValues.quoted(text));
    }
}
