// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.codec.ProtoCursor.Damaged;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtoCursorTest {
    private final ProtoCursor in = new ProtoCursor();

    private ProtoCursor at(int... bytes) {
        byte[] message = new byte[bytes.length + 2];
        Arrays.fill(message, (byte) 1); // what stands around a message must not be taken for a part of it
        for (int i = 0; i < bytes.length; i++) {
            message[i + 1] = (byte) bytes[i];
        }
        in.set(message, 1, bytes.length + 1);
        return in;
    }

    private List<Integer> fields(int... bytes) throws Damaged {
        at(bytes);
        List<Integer> fields = new ArrayList<>();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            fields.add(tag >>> 3);
            in.skipField(tag);
        }
        return fields;
    }

    @Test
    void numbersHaveSevenBitsToAByte() throws Damaged {
        assertThat(at(0).varint()).isZero();
        assertThat(at(0x7F).varint()).isEqualTo(127);
        assertThat(at(0x80, 0x01).varint()).isEqualTo(128);
        assertThat(at(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01)
                        .varint())
                .isEqualTo(-1);
    }

    @Test
    void numbersThatAreCutOrTooLongAreDamage() {
        assertThatThrownBy(() -> at().varint()).isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> at(0x80).varint()).isInstanceOf(Damaged.class);
        int[] eleven = new int[11];
        Arrays.fill(eleven, 0x80);
        eleven[10] = 1;
        assertThatThrownBy(() -> at(eleven).varint()).isInstanceOf(Damaged.class);
    }

    @Test
    void fieldsOfAllTypesArePassedOver() throws Damaged {
        assertThat(fields(
                        0x08, 0x96, 0x01, // 1: a number
                        0x11, 1, 2, 3, 4, 5, 6, 7, 8, // 2: eight bytes
                        0x1A, 2, 'h', 'i', // 3: a text
                        0x25, 1, 2, 3, 4, // 4: four bytes
                        0x2B, 0x08, 1, 0x33, 0x34, 0x2C, // 5: a group, with another in it
                        0x38, 0)) // 7
                .containsExactly(1, 2, 3, 4, 5, 7);
    }

    @Test
    void whatIsNoFieldIsDamage() {
        assertThatThrownBy(() -> fields(0x00)).isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0E)).isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0C)).as("an end without a group").isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0B, 0x14))
                .as("the end of another group")
                .isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0B)).as("a group without an end").isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x09, 1, 2, 3)).isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0A, 3, 1, 2)).isInstanceOf(Damaged.class);
        assertThatThrownBy(() -> fields(0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F))
                .as("a negative length")
                .isInstanceOf(Damaged.class);
    }

    @Test
    void groupsInGroupsEndSomewhere() throws Damaged {
        int[] groups = new int[200];
        Arrays.fill(groups, 0, 100, 0x0B);
        Arrays.fill(groups, 100, 200, 0x0C);
        assertThat(fields(groups)).containsExactly(1);
        int[] deeper = new int[100_000];
        Arrays.fill(deeper, 0x0B);
        assertThatThrownBy(() -> fields(deeper)).isInstanceOf(Damaged.class);
    }

    @Test
    void aMessageInsideEndsWhereItsLengthSays() throws Damaged {
        at(0x0A, 2, 0x08, 5, 0x10, 6);
        assertThat(in.tag()).isEqualTo(0x0A);
        int outer = in.enter();
        assertThat(in.tag()).isEqualTo(0x08);
        assertThat(in.varint()).isEqualTo(5);
        assertThat(in.tag()).isZero();
        in.leave(outer);
        assertThat(in.tag()).isEqualTo(0x10);
        assertThat(in.varint()).isEqualTo(6);
        assertThat(in.isAtEnd()).isTrue();
        assertThatThrownBy(() -> at(3, 0x08, 5).enter()).isInstanceOf(Damaged.class);
    }

    @Test
    void textsAndNumbersOfEightBytesAreTaken() throws Damaged {
        assertThat(at(3, 0xC3, 0xA9, '!').text()).isEqualTo("é!");
        assertThat(at(0).text()).isEmpty();
        assertThat(at(0x08, 7, 6, 5, 4, 3, 2, 1).fixed64()).isEqualTo(0x0102030405060708L);
        assertThatThrownBy(() -> at(1, 2, 3, 4, 5, 6, 7).fixed64()).isInstanceOf(Damaged.class);
    }
}
