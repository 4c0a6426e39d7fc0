/// `./heddle bench`: measures Heddle beside its peers, and draws what came out.
@NullMarked
package dev.heddle.bench;

import org.jspecify.annotations.NullMarked;
