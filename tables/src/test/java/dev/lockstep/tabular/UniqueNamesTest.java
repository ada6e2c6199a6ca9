// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class UniqueNamesTest {
    @Test
    void namesThatAreOneByTheirRuleGetTheNextNumber() {
        UniqueNames names = new UniqueNames(name -> name.toLowerCase(Locale.ROOT));

        assertThat(Stream.of("a", "A", "a", "A_2", "b").map(names::add))
                .containsExactly("a", "A_2", "a_3", "A_2_2", "b");
    }

    /** What is tried for one spelling is not tried again for the next. */
    @Test
    void namesOfManySpellingsCostTimeByTheirNumber() {
        UniqueNames names = new UniqueNames(name -> name.toLowerCase(Locale.ROOT));
        char[] letters = new char[17];

        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (int spelling = 0; spelling < 1 << letters.length; spelling++) {
                for (int i = 0; i < letters.length; i++) {
                    letters[i] = (spelling >> i & 1) == 0 ? 'x' : 'X';
                }
                names.add(new String(letters));
            }
        });
    }
}
