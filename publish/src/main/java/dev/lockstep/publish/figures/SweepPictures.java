// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.page.Page;

/** Whose pictures of sweeps are drawn: the program's own, or those of a tool that it stands in for. */
public interface SweepPictures {
    /** The program's own. */
    SweepPictures OWN = new SweepPictures() {
        @Override
        public VarianceLook look() {
            return VarianceLook.RIGHT;
        }

        @Override
        public Page page(SweepSide first, SweepSide second) {
            return SweepPage.of(first, second);
        }
    };

    /** How pictures of matrix multiplications whose time varies look. */
    VarianceLook look();

    /** Two sweeps side by side. */
    Page page(SweepSide first, SweepSide second);
}
