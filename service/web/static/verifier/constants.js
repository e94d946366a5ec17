// The constants of SHA-2 (FIPS 180-4): fractional parts of roots of the first primes, computed instead of listed.

/** The first 64 bits behind the point of the square (2) or cube (3) roots of the first `count` primes. */
export function fractions(count, power) {
  return primes(count).map((prime) => BigInt.asUintN(64, root(BigInt(prime) << BigInt(64 * power), BigInt(power))));
}

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The integer below the root, by bisection. */
function root(number, power) {
  let low = 0n;
  let high = 1n << 80n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power > number) high = middle;
    else low = middle;
  }
  return low;
}
