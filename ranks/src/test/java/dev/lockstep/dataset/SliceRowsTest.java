// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SliceRowsTest {
    /** The values that the authors of FNV publish. */
    @Test
    void namesHaveTheNumbersOfFnv1a() {
        assertThat(Long.toHexString(SliceRows.hash(""))).isEqualTo("cbf29ce484222325");
        assertThat(Long.toHexString(SliceRows.hash("a"))).isEqualTo("af63dc4c8601ec8c");
        assertThat(Long.toHexString(SliceRows.hash("foobar"))).isEqualTo("85944171f73967e8");
    }
}
