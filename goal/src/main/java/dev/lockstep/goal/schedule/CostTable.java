// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.LongList;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Measured durations of one kind of work, by size; as the NPKit summaries of ATLAHS hold them. Immutable. */
public final class CostTable {
    /** Receives data, reduces it, sends it. */
    public static final String REDUCE = "NPKIT_EVENT_GPU_RECV_REDUCE_SEND";

    /** Receives data, copies it, sends it. */
    public static final String COPY = "NPKIT_EVENT_GPU_DIRECT_RECV_COPY_SEND";

    private static final JsonFactory JSON = new JsonFactory();

    /** No cost is larger, so that several add up to what 64 bits can count. */
    private static final long MOST_NS = 1L << 60;

    private final long[] sizes;
    private final long[][] samples;
    private final double[] means;

    private CostTable(Map<Long, long[]> bySize) {
        sizes = bySize.keySet().stream().mapToLong(Long::longValue).toArray();
        samples = bySize.values().toArray(long[][]::new);
        means = Arrays.stream(samples)
                .mapToDouble(values ->
                        Arrays.stream(values).asDoubleStream().average().orElse(0))
                .toArray();
    }

    /** A table with one sample for each size. */
    public static CostTable of(Map<Long, long[]> bySize) {
        if (bySize.isEmpty() || bySize.values().stream().anyMatch(values -> values.length == 0)) {
            throw new IllegalArgumentException("no samples");
        }
        return new CostTable(new TreeMap<>(bySize));
    }

    /** Reads the tables of a file by their names. */
    public static Map<String, CostTable> read(Path file, String... names) throws IOException {
        Map<String, CostTable> tables = new TreeMap<>();
        try (JsonParser parser = JSON.createParser(NamedFiles.in(file))) {
            expect(file, parser, parser.nextToken(), JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (Arrays.asList(names).contains(name)) {
                    tables.put(name, table(file, parser, name));
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JsonProcessingException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, file.toString(), Json.position(e), Json.problem(e), null);
        } catch (CharConversionException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, file.toString(), -1, String.valueOf(e.getMessage()), null);
        }
        for (String name : names) {
            if (!tables.containsKey(name)) {
                throw new TraceFormatException(
                        ErrorCode.DATA_MISSING, file.toString(), -1, "there is no table " + name, null);
            }
        }
        return tables;
    }

    private static CostTable table(Path file, JsonParser parser, String name) throws IOException {
        Map<Long, long[]> bySize = new TreeMap<>();
        expect(file, parser, parser.currentToken(), JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String size = parser.currentName();
            if (!size.matches("\\d{1,18}")) {
                throw corrupt(file, parser, "expected a size in bytes in " + name + ", found " + size);
            }
            expect(file, parser, parser.nextToken(), JsonToken.START_ARRAY);
            LongList values = new LongList(32);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (!parser.currentToken().isNumeric()
                        || parser.getDoubleValue() < 0
                        || parser.getDoubleValue() > MOST_NS) {
                    throw corrupt(file, parser, "expected nanoseconds, of 36 years at most");
                }
                values.add(parser.getLongValue());
            }
            if (values.size() > 0) {
                bySize.put(Long.parseLong(size), values.toArray());
            }
        }
        if (bySize.isEmpty()) {
            throw corrupt(file, parser, name + " is empty");
        }
        return new CostTable(bySize);
    }

    private static void expect(Path file, JsonParser parser, JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted) {
            throw corrupt(file, parser, "expected " + wanted.asString());
        }
    }

    private static TraceFormatException corrupt(Path file, JsonParser parser, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                file.toString(),
                parser.currentLocation().getByteOffset(),
                problem,
                "Expected {\"" + REDUCE + "\": {\"4096\": [1487, 2070]}, …} with sizes in bytes and nanoseconds.");
    }

    /**
     * The mean duration for a size: that of the samples, between sizes on the line between their means.
     *
     * @param beyond whether sizes above the largest are on the line through the last two, else they cost what it costs
     */
    public long mean(long size, boolean beyond) {
        int at = Arrays.binarySearch(sizes, size);
        return at >= 0 ? (long) means[at] : (long) Math.min(MOST_NS, between(-at - 1, size, beyond));
    }

    /**
     * A duration drawn for a size: one of the samples; between sizes the mean with a normal deviation of one percent.
     *
     * @param random evenly distributed bits; equal bits draw equally
     */
    public long draw(long size, boolean beyond, long random) {
        int at = Arrays.binarySearch(sizes, size);
        if (at < 0) {
            int above = -at - 1;
            boolean inside = above > 0 && above < sizes.length;
            if (inside || (above == sizes.length && beyond && sizes.length > 1)) {
                return (long) Math.min(MOST_NS, between(above, size, beyond) * (1 + 0.01 * normal(random)));
            }
            at = above == 0 ? 0 : sizes.length - 1;
        }
        long[] values = samples[at];
        return values[(int) Long.remainderUnsigned(random, values.length)];
    }

    private double between(int above, long size, boolean beyond) {
        int last = sizes.length - 1;
        if (above == 0) {
            return means[0];
        }
        if (above > last) {
            if (!beyond || last == 0) {
                return means[last];
            }
            double slope = (means[last] - means[last - 1]) / (sizes[last] - sizes[last - 1]);
            return means[last] + Math.max(0, slope) * (size - sizes[last]);
        }
        double share = (double) (size - sizes[above - 1]) / (sizes[above] - sizes[above - 1]);
        return means[above - 1] + share * (means[above] - means[above - 1]);
    }

    /** Sum of twelve even parts: near enough to normal, never beyond six, and the same on all machines. */
    private static double normal(long random) {
        double sum = 0;
        long bits = random;
        for (int i = 0; i < 12; i++) {
            bits = bits * 6364136223846793005L + 1442695040888963407L;
            sum += (bits >>> 11) * 0x1p-53;
        }
        return Math.clamp(sum - 6, -4, 4);
    }
}
