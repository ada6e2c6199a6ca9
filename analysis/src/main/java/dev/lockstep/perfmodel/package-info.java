// SPDX-License-Identifier: Apache-2.0
/**
 * What recorded operator calls had to do: floating-point operations, bytes moved, precision, and the parameters these
 * follow from; and what devices could do at best. Start at {@link dev.lockstep.perfmodel.OpModels}, which knows a
 * {@link dev.lockstep.perfmodel.OpModel} for each operator; one file per family of operators. A model judges one
 * {@link dev.lockstep.perfmodel.OpCall} by its arguments alone and knows neither traces nor sheets. Conventions that
 * other tools see differently come in as {@link dev.lockstep.perfmodel.ModelRules}.
 */
@NullMarked
package dev.lockstep.perfmodel;

import org.jspecify.annotations.NullMarked;
