// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The text of one event that no column of the model holds, while a reader goes through the event: its arguments and its
 * other fields, each as members of a JSON object without the braces ({@code "k":1,"l":[2]}). Reused from event to event.
 *
 * <p>A reader that recognises keys and values which it met before says so with their numbers ({@link #word}) and has
 * neither copied: what it gives are {@linkplain ArgumentTokens tokens}.
 */
public final class RecordedText {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    /** What an argument means to the program. */
    public static final int PLAIN = 0;

    /** The number that joins a launch and its device activity. */
    public static final int CORRELATION = 1;
    /** The number that joins an operator and the launches inside it. */
    public static final int EXTERNAL_ID = 2;

    private final @Nullable StringPool words;
    private boolean tokens;
    private final int[] tokenOfRole = new int[3];
    private byte[] arguments = new byte[1 << 10];
    private int argumentsLength;
    private boolean hasArguments;
    private byte[] fields = new byte[1 << 8];
    private int fieldsLength;
    private int lastValue;
    private int correlation;
    private int externalId;

    /** For events whose arguments come as text. */
    public RecordedText() {
        words = null;
    }

    /** For events whose arguments come as tokens, whose words are in this pool. */
    RecordedText(StringPool words) {
        this.words = words;
    }

    /** Forgets everything. */
    public void clear() {
        tokens = words != null;
        tokenOfRole[CORRELATION] = -1;
        tokenOfRole[EXTERNAL_ID] = -1;
        hasArguments = false;
        argumentsLength = 0;
        fieldsLength = 0;
        correlation = -1;
        externalId = -1;
    }

    /** States that the argument added last, as text, is the number that joins a launch and its device activity. */
    public void wasCorrelation() {
        correlation = lastValue;
    }

    /** States that the argument added last, as text, is the number that joins an operator and its launches. */
    public void wasExternalId() {
        externalId = lastValue;
    }

    /** States that the event has arguments, if only an empty object of them. */
    public void hasArguments() {
        hasArguments = true;
    }

    /**
     * {@return the number of a key, in quotes and with the colon, or of a value; eight more bytes of the array must
     * exist}
     *
     * @param source holds the text as UTF-8
     * @param from place of its first byte
     * @param to place behind its last byte
     */
    public int word(byte[] source, int from, int to) {
        return pool().intern(source, from, to);
    }

    private StringPool pool() {
        return Objects.requireNonNull(words, "arguments come as text");
    }

    /**
     * Adds an argument that is a number of 1 to {@link ArgumentTokens#MOST_DIGITS} digits and nothing else.
     *
     * @param key the number of its key
     * @param role what it means to the program
     * @param source holds the digits; eight more bytes of the array must exist
     * @param from place of its first byte
     * @param to place behind its last byte
     */
    public void digits(int key, int role, byte[] source, int from, int to) {
        int length = to - from;
        int n = token(key, role, ArgumentTokens.DIGITS, 3 * Long.BYTES);
        byte[] into = arguments;
        into[n++] = (byte) length;
        for (int i = 0; i < length; i += Long.BYTES) {
            LONG.set(into, n + i, (long) LONG.get(source, from + i));
        }
        argumentsLength = n + length;
    }

    /**
     * Adds an argument whose value is a word.
     *
     * @param key the number of its key, from {@link #word}
     * @param role what it means to the program
     * @param word number of the value, from {@link #word}
     */
    public void known(int key, int role, int word) {
        int n = token(key, role, ArgumentTokens.WORD, 5);
        argumentsLength = TextBlocks.number(arguments, n, word);
    }

    /**
     * Adds an argument whose value is not kept as a word.
     *
     * @param key the number of its key, from {@link #word}
     * @param role what it means to the program
     * @param source holds the value, JSON text
     * @param from place of its first byte
     * @param to place behind its last byte
     */
    public void text(int key, int role, byte[] source, int from, int to) {
        int length = to - from;
        int begun = token(key, role, ArgumentTokens.TEXT, length + 5);
        int n = TextBlocks.number(arguments, begun, length);
        System.arraycopy(source, from, arguments, n, length);
        argumentsLength = n + length;
    }

    /** Begins a token; of several arguments with one meaning the last has it. Returns the place behind. */
    private int token(int key, int role, int kind, int room) {
        int needed = argumentsLength + room + 10;
        if (needed > arguments.length) {
            arguments = Arrays.copyOf(arguments, Math.max(needed, arguments.length * 2));
        }
        if (role != PLAIN) {
            if (tokenOfRole[role] >= 0) {
                arguments[tokenOfRole[role]] &= (byte) ~ArgumentTokens.ROLES;
            }
            tokenOfRole[role] = argumentsLength;
        }
        return TextBlocks.number(arguments, argumentsLength, ArgumentTokens.head(key, role, kind));
    }

    /**
     * Adds an argument: bytes of its key in quotes and of its value, both JSON text.
     *
     * @param source holds both
     * @param key place of the first byte of the key
     * @param keyEnd place behind the last byte of the key
     * @param value place of the first byte of the value
     * @param valueEnd place behind the last byte of the value
     */
    public void argument(byte[] source, int key, int keyEnd, int value, int valueEnd) {
        int n = argumentsLength;
        int length = keyEnd - key + valueEnd - value + 2;
        if (n + length > arguments.length) {
            arguments = Arrays.copyOf(arguments, Math.max(n + length, arguments.length * 2));
        }
        n = appendKey(arguments, n, source, key, keyEnd);
        argumentsLength = append(arguments, n, source, value, valueEnd);
        lastValue = argumentsLength - (valueEnd - value);
        hasArguments = true;
    }

    /**
     * Adds a field of the event itself: bytes of its key in quotes and of its value, both JSON text.
     *
     * @param source holds both
     * @param key place of the first byte of the key
     * @param keyEnd place behind the last byte of the key
     * @param value place of the first byte of the value
     * @param valueEnd place behind the last byte of the value
     */
    public void field(byte[] source, int key, int keyEnd, int value, int valueEnd) {
        fieldRoom(keyEnd - key + valueEnd - value);
        int n = appendKey(fields, fieldsLength, source, key, keyEnd);
        fieldsLength = append(fields, n, source, value, valueEnd);
    }

    /**
     * As {@link #field(byte[], int, int, int, int)}, with the key at the beginning of an array of its own.
     *
     * @param key holds the key
     * @param keyLength how many bytes the key has
     * @param source holds the value
     * @param value place of the first byte of the value
     * @param valueEnd place behind the last byte of the value
     */
    public void field(byte[] key, int keyLength, byte[] source, int value, int valueEnd) {
        fieldRoom(keyLength + valueEnd - value);
        int n = appendKey(fields, fieldsLength, key, 0, keyLength);
        fieldsLength = append(fields, n, source, value, valueEnd);
    }

    /** Makes room for a field whose key and value have so many bytes. */
    private void fieldRoom(int length) {
        int needed = fieldsLength + length + 2;
        if (needed > fields.length) {
            fields = Arrays.copyOf(fields, Math.max(needed, fields.length * 2));
        }
    }

    /**
     * Adds a field of the event itself; the value is JSON text.
     *
     * @param key without quotes
     * @param source holds the value
     * @param value place of the first byte of the value
     * @param valueEnd place behind the last byte of the value
     */
    public void field(String key, byte[] source, int value, int valueEnd) {
        byte[] text = ("\"" + key + "\"").getBytes(StandardCharsets.UTF_8);
        byte[] both = Arrays.copyOf(text, text.length + valueEnd - value);
        System.arraycopy(source, value, both, text.length, valueEnd - value);
        field(both, 0, text.length, text.length, both.length);
    }

    /**
     * Adds an argument; {@code value} is JSON text.
     *
     * @param key without quotes
     * @param value JSON text
     */
    public void argument(String key, String value) {
        byte[] text = ("\"" + key + "\"" + value).getBytes(StandardCharsets.UTF_8);
        int split = key.getBytes(StandardCharsets.UTF_8).length + 2;
        argument(text, 0, split, split, text.length);
    }

    /** {@return whether there is anything to keep} */
    public boolean isEmpty() {
        return !hasArguments && fieldsLength == 0;
    }

    /** {@return a copy of the arguments as text, e.g. to mend them; see {@link #replace}} */
    public byte[] arguments() {
        if (!tokens) {
            return Arrays.copyOf(arguments, argumentsLength);
        }
        SpeltArguments spelt = new SpeltArguments();
        spelt.spell(arguments, 0, argumentsLength, pool());
        return Arrays.copyOf(spelt.bytes, spelt.length);
    }

    /** {@return a copy of the other fields as text} */
    public byte[] fields() {
        return Arrays.copyOf(fields, fieldsLength);
    }

    /**
     * Puts other texts in place of both.
     *
     * @param newArguments members of the object of arguments, JSON text without the braces
     * @param newFields members of the event that are kept besides, JSON text
     * @param newCorrelation place of the value of the correlation among the arguments, -1 when there is none; so for
     *     the external id
     * @param newExternalId place of the value of the external id among the arguments, -1 when there is none
     */
    public void replace(byte[] newArguments, byte[] newFields, int newCorrelation, int newExternalId) {
        tokens = false;
        correlation = newCorrelation;
        externalId = newExternalId;
        arguments = newArguments.clone();
        argumentsLength = newArguments.length;
        fields = newFields.clone();
        fieldsLength = newFields.length;
    }

    /** Puts a key behind the members there are, with what separates them; returns the place behind. */
    private static int appendKey(byte[] into, int at, byte[] source, int from, int to) {
        int n = at;
        if (n > 0) {
            into[n++] = ',';
        }
        n = append(into, n, source, from, to);
        into[n++] = ':';
        return n;
    }

    private static int append(byte[] into, int at, byte[] source, int from, int to) {
        System.arraycopy(source, from, into, at, to - from);
        return at + to - from;
    }

    /** Adds all that a row has. */
    void append(RecordedTexts.Cursor row) {
        if (row.hasArguments) {
            int shift = argumentsLength == 0 ? 0 : argumentsLength + 1;
            correlation = row.correlation < 0 ? correlation : row.correlation - row.arguments + shift;
            externalId = row.externalId < 0 ? externalId : row.externalId - row.arguments + shift;
            arguments = joined(arguments, argumentsLength, row.bytes, row.arguments, row.argumentsEnd);
            argumentsLength = lengthOfJoin(argumentsLength, row.argumentsEnd - row.arguments);
            hasArguments = true;
        }
        fields = joined(fields, fieldsLength, row.bytes, row.fields, row.fieldsEnd);
        fieldsLength = lengthOfJoin(fieldsLength, row.fieldsEnd - row.fields);
    }

    private static int lengthOfJoin(int length, int added) {
        return length > 0 && added > 0 ? length + 1 + added : length + added;
    }

    private static byte[] joined(byte[] into, int length, byte[] source, int from, int to) {
        byte[] grown = Arrays.copyOf(into, length + 1 + to - from);
        int n = length;
        if (n > 0 && to > from) {
            grown[n++] = ',';
        }
        System.arraycopy(source, from, grown, n, to - from);
        return grown;
    }

    /** Length of the record that {@link #write} makes, at most. */
    int room() {
        return argumentsLength + fieldsLength + 20;
    }

    /**
     * Writes the record: length of the arguments plus one (0 when there are none), doubled, and 1 more for tokens; length of
     * the fields; for text, places of the two ids among the arguments plus one (0 when there are none); arguments and fields.
     */
    int write(byte[] into, int at) {
        int n = TextBlocks.number(into, at, (hasArguments ? argumentsLength + 1 : 0) << 1 | (tokens ? 1 : 0));
        n = TextBlocks.number(into, n, fieldsLength);
        if (!tokens) {
            n = TextBlocks.number(into, n, correlation + 1);
            n = TextBlocks.number(into, n, externalId + 1);
        }
        System.arraycopy(arguments, 0, into, n, argumentsLength);
        n += argumentsLength;
        System.arraycopy(fields, 0, into, n, fieldsLength);
        return n + fieldsLength;
    }
}
