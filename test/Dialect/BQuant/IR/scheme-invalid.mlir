// Each numbered constraint of `#bquant.scheme`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{[scheme_c1] expected 1 to 8 planes, but got 0}}
func.func private @f() attributes {s = #bquant.scheme<ls, 0>}

// -----

// expected-error @+1 {{[scheme_c1] expected 1 to 8 planes, but got 9}}
func.func private @f() attributes {s = #bquant.scheme<gf, 9>}

// -----

// expected-error @+1 {{[scheme_c2] expected ls for T, but got gf}}
func.func private @f() attributes {s = #bquant.scheme<gf, T>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @f() attributes {s = #bquant.scheme<twn, 2>}

// -----

// expected-error @+1 {{expected one of [ls, gf, twn] for how scalars are found, got: foo}}
func.func private @f() attributes {s = #bquant.scheme<foo, 1>}

// -----

// expected-error @+1 {{expected a number of planes or T}}
func.func private @f() attributes {s = #bquant.scheme<ls, x>}
