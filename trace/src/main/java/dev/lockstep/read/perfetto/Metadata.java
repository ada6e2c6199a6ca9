// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.CHROME_METADATA;
import static dev.lockstep.codec.PerfettoFormat.METADATA_BOOL;
import static dev.lockstep.codec.PerfettoFormat.METADATA_INT;
import static dev.lockstep.codec.PerfettoFormat.METADATA_JSON;
import static dev.lockstep.codec.PerfettoFormat.METADATA_NAME;
import static dev.lockstep.codec.PerfettoFormat.METADATA_STRING;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import java.util.LinkedHashMap;
import java.util.Map;

/** The metadata of a Chrome trace inside a Perfetto trace. */
final class Metadata {
    private Metadata() {}

    /** Key to JSON text. */
    static Map<String, String> read(ProtoCursor in) throws Damaged {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (CHROME_METADATA << 3 | BYTES)) {
                int outer = in.enter();
                entry(in, entries);
                in.leave(outer);
            } else {
                in.skipField(tag);
            }
        }
        return entries;
    }

    private static void entry(ProtoCursor in, Map<String, String> entries) throws Damaged {
        String name = "";
        String json = "null";
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case METADATA_NAME << 3 | BYTES -> name = in.text();
                case METADATA_STRING << 3 | BYTES -> json = JsonValues.quoted(in.text());
                case METADATA_JSON << 3 | BYTES -> {
                    String text = in.text();
                    json = JsonValues.isJson(text) ? text : JsonValues.quoted(text);
                }
                case METADATA_BOOL << 3 | VARINT -> json = String.valueOf(in.varint() != 0);
                case METADATA_INT << 3 | VARINT -> json = String.valueOf(in.varint());
                default -> in.skipField(tag);
            }
        }
        entries.put(name, json);
    }
}
