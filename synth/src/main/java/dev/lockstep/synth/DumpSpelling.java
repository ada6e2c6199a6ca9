// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Spells plain values as a pickle, as libtorch or as Python writes one, or as JSON. Confined to one thread. */
final class DumpSpelling {
    /** How a dump is spelt. */
    enum Form {
        LIBTORCH,
        PYTHON,
        JSON
    }

    private final Form form;
    private final Map<String, Integer> memo = new HashMap<>();
    private byte[] bytes = new byte[1 << 16];
    private int size;
    private boolean first = true;

    DumpSpelling(Form form) {
        this.form = form;
        if (form != Form.JSON) {
            put(0x80);
            put(form == Form.LIBTORCH ? 2 : 4);
        }
    }

    byte[] finished() {
        if (form != Form.JSON) {
            put('.');
        }
        return Arrays.copyOf(bytes, size);
    }

    void beginMap() {
        begin('{', '}');
    }

    void endMap() {
        end('}', 'u');
    }

    void beginList() {
        begin('[', ']');
    }

    void endList() {
        end(']', 'e');
    }

    /** A value that libtorch spells once: says whether it is spelt now by its number in the memo. */
    boolean known(String key) {
        Integer place = form == Form.LIBTORCH ? memo.get(key) : null;
        if (place != null) {
            recall(place);
        }
        return place != null;
    }

    /** Keeps the value that was just spelt, which libtorch spells once. */
    void keep(String key) {
        if (form == Form.LIBTORCH) {
            store(key);
        }
    }

    private void recall(int place) {
        if (place < 256) {
            put('h');
            put(place);
        } else {
            put('j');
            fixed(place);
        }
    }

    private void store(String key) {
        int next = memo.size();
        memo.put(key, next);
        if (form == Form.PYTHON) {
            put(0x94);
        } else if (next < 256) {
            put('q');
            put(next);
        } else {
            put('r');
            fixed(next);
        }
    }

    /** The key of the next value. */
    void key(String name) {
        text(name);
        if (form == Form.JSON) {
            put(':');
            first = true;
        }
    }

    void text(String text) {
        if (form == Form.JSON) {
            comma();
            put('"');
            put(text.replace("\\", "\\\\").replace("\"", "\\\"").getBytes(StandardCharsets.UTF_8));
            put('"');
            return;
        }
        Integer place = memo.get(text);
        if (place != null) {
            recall(place);
            return;
        }
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        if (form == Form.PYTHON && content.length < 256) {
            put(0x8C);
            put(content.length);
        } else {
            put('X');
            fixed(content.length);
        }
        put(content);
        store(text);
    }

    void number(long number) {
        if (form == Form.JSON) {
            comma();
            put(Long.toString(number).getBytes(StandardCharsets.ISO_8859_1));
        } else if (number >= 0 && number < 256) {
            put('K');
            put((int) number);
        } else if (number == (int) number) {
            put('J');
            fixed((int) number);
        } else {
            put(0x8A);
            put(8);
            fixed((int) number);
            fixed((int) (number >>> 32));
        }
    }

    void truth(boolean value) {
        if (form == Form.JSON) {
            comma();
            put(Boolean.toString(value).getBytes(StandardCharsets.ISO_8859_1));
        } else {
            put(value ? 0x88 : 0x89);
        }
    }

    void pair(String one, String other) {
        if (form == Form.JSON) {
            beginList();
        }
        text(one);
        text(other);
        if (form == Form.JSON) {
            endList();
        } else {
            put(0x86);
        }
    }

    private void begin(char json, char pickle) {
        if (form == Form.JSON) {
            comma();
            put(json);
            first = true;
        } else {
            put(pickle == '}' ? '}' : ']');
            put('(');
        }
    }

    private void end(char json, char pickle) {
        put(form == Form.JSON ? json : pickle);
        first = false;
    }

    private void comma() {
        if (!first) {
            put(',');
        }
        first = false;
    }

    private void fixed(int number) {
        for (int i = 0; i < Integer.SIZE; i += Byte.SIZE) {
            put(number >>> i);
        }
    }

    private void put(byte[] more) {
        if (size + more.length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more.length));
        }
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    private void put(int one) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) one;
    }
}
