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

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The metadata of a Chrome trace inside a Perfetto trace. */
final class Metadata {
    private Metadata() {}

    /** Key to JSON text. */
    static Map<String, String> read(CodedInputStream in) throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == (CHROME_METADATA << 3 | BYTES)) {
                int outer = in.pushLimit(in.readRawVarint32());
                entry(in, entries);
                in.popLimit(outer);
            } else {
                in.skipField(tag);
            }
        }
        return entries;
    }

    private static void entry(CodedInputStream in, Map<String, String> entries) throws IOException {
        String name = "";
        String json = "null";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case METADATA_NAME << 3 | BYTES -> name = in.readString();
                case METADATA_STRING << 3 | BYTES -> json = Spelling.quoted(in.readString());
                case METADATA_JSON << 3 | BYTES -> json = in.readString();
                case METADATA_BOOL << 3 | VARINT -> json = String.valueOf(in.readRawVarint64() != 0);
                case METADATA_INT << 3 | VARINT -> json = String.valueOf(in.readRawVarint64());
                default -> in.skipField(tag);
            }
        }
        entries.put(name, json);
    }
}
