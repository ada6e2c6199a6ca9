// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL as it is shipped, from 2.19 on, attaches to the NVTX ranges of its calls: sizes, communicators, other sides of
 * messages; told in the words of an NCCL with annotations. Sizes are those of an annotated NCCL; elements are bytes.
 */
final class NcclPayloads {
    /** Stands for a communicator that is not on record. */
    static final String NO_COMMUNICATOR = "0x0";

    private static final String SCHEMAS = "NVTX_PAYLOAD_SCHEMA_ENTRIES";
    private static final String COMMUNICATOR = "NCCL communicator ID";
    private static final String SIZE = "Message size [bytes]";
    private static final String RANKS = "No. of ranks";
    private static final String RANK = "Rank";
    private static final String PEER = "Peer rank";

    private static final Pattern CALL = Pattern.compile("nccl([A-Z][A-Za-z]+)");
    private static final Pattern IN_JSON = Pattern.compile("\"([^\"]+)\"\\s*:\\s*\"?(\\d[\\d,]*)");

    /** Domain, schema, and the sizes of the payload and of all, stand in front of the payload. */
    private static final int HEADER = 32;

    private static final int SCHEMA_AT = 8;
    private static final int LENGTH_AT = 24;

    /** Types of 32 bits; all others of those fields have 64. */
    private static final int INT32 = 4;

    private static final int UINT32 = 5;

    private record Schema(long domain, long number) {}

    private record Field(String name, long offset, boolean small) {}

    private final Map<Schema, Map<String, Field>> fields;

    private NcclPayloads(Map<Schema, Map<String, Field>> fields) {
        this.fields = fields;
    }

    /** Of an export; those of which it does not say how they are laid out are not understood. */
    static NcclPayloads of(SqliteFile file) throws IOException {
        Map<Schema, Map<String, Field>> fields = new HashMap<>();
        if (file.has(SCHEMAS)) {
            try (SqliteRows rows = file.rows(SCHEMAS, "domainId", "schemaId", "name", "type", "offset")) {
                while (rows.next()) {
                    String name = rows.text(2);
                    if (name != null) {
                        long type = rows.number(3, -1);
                        fields.computeIfAbsent(
                                        new Schema(rows.number(0, 0), rows.number(1, 0)), schema -> new HashMap<>())
                                .put(name, new Field(name, rows.number(4, 0), type == UINT32 || type == INT32));
                    }
                }
            }
        }
        return new NcclPayloads(fields);
    }

    /**
     * What a range says.
     *
     * @param name of the range
     * @param process that it is in
     * @param json its payload in words, or null
     * @param binary its payload, or null
     * @return the annotation that says the same; null when it is no range of the library, or says nothing
     */
    @Nullable
    String annotation(String name, long process, @Nullable String json, byte @Nullable [] binary) {
        Matcher call = CALL.matcher(name);
        if (!call.matches()) {
            return null;
        }
        if (name.equals("ncclGroupStart") || name.equals("ncclGroupEnd")) {
            return name + "(): pid " + process;
        }
        Map<String, Long> said = json != null ? inWords(json) : binary != null ? decoded(binary) : Map.of();
        Long id = said.get(COMMUNICATOR);
        String communicator = id == null ? NO_COMMUNICATOR : "0x" + Long.toHexString(id);
        Long ranks = said.get(RANKS);
        if (ranks != null && id != null && said.containsKey(RANK)) {
            return "commHash " + communicator + " commId " + communicator + " rank " + said.get(RANK) + " nranks "
                    + ranks + " pid " + process;
        }
        Long bytes = said.get(SIZE);
        if (bytes == null) {
            return null;
        }
        Long peer = said.get(PEER);
        return name + "(): commHash " + communicator + ", stream 0x0, data_size " + bytes + ", type_size 1"
                + (peer == null ? "" : ", peer_rank " + peer) + ", pid " + process;
    }

    private static Map<String, Long> inWords(String json) {
        Map<String, Long> said = new HashMap<>();
        Matcher field = IN_JSON.matcher(json);
        while (field.find()) {
            try {
                said.put(field.group(1), Long.parseUnsignedLong(field.group(2).replace(",", "")));
            } catch (NumberFormatException e) {
                said.remove(field.group(1)); // more than 64 bits: nothing that is known here
            }
        }
        return said;
    }

    private Map<String, Long> decoded(byte[] cell) {
        ByteBuffer payload = payload(cell);
        Map<String, Long> said = new HashMap<>();
        if (payload == null) {
            return said;
        }
        Schema schema = new Schema(
                Integer.toUnsignedLong(payload.getInt(0)), Integer.toUnsignedLong(payload.getInt(SCHEMA_AT)));
        for (Field field : fields.getOrDefault(schema, Map.of()).values()) {
            int last = payload.limit() - HEADER - (field.small ? Integer.BYTES : Long.BYTES);
            if (field.offset >= 0 && field.offset <= last) {
                int at = HEADER + (int) field.offset;
                said.put(field.name, field.small ? Integer.toUnsignedLong(payload.getInt(at)) : payload.getLong(at));
            }
        }
        return said;
    }

    /** The bytes of a cell, which some exports spell in digits; null when they are none. */
    private static @Nullable ByteBuffer payload(byte[] cell) {
        ByteBuffer bytes = ByteBuffer.wrap(cell).order(ByteOrder.LITTLE_ENDIAN);
        if (cell.length >= HEADER && bytes.getLong(LENGTH_AT) == cell.length) {
            return bytes;
        }
        String digits = new String(cell, StandardCharsets.ISO_8859_1);
        String hex = digits.startsWith("0x") ? digits.substring(2) : digits;
        if (hex.length() % 2 != 0 || !hex.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        byte[] spelled = HexFormat.of().parseHex(hex);
        ByteBuffer again = ByteBuffer.wrap(spelled).order(ByteOrder.LITTLE_ENDIAN);
        return spelled.length >= HEADER && again.getLong(LENGTH_AT) == spelled.length ? again : null;
    }
}
