"""`bquant.quantize`: the solvers on NumPy arrays."""

from __future__ import annotations

import operator
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _bquant, _lloyd

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
_T = TypeVar("_T")


def scheme_forms(schemes: Iterable[str]) -> str:
    """`ls-k, twn` of `ls-1` to `ls-8` and `twn`."""
    return ", ".join(dict.fromkeys(re.sub(r"\d$", "k", scheme) for scheme in schemes))


_SCHEMES = scheme_forms(_bquant.option_values("scheme"))
_SCHEMES += ", given, lloyd-k, rank-1 or xnor with k from 1 to 8"


class _Lazy(Generic[_T]):
    """An attribute that is computed when it is first asked for. Threads that ask at the same time
    may each compute it, and all get one of the results."""

    def __init__(self, compute: Callable[[Any], _T]):
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> _Lazy[_T]: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> _T: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self._name, self._compute(instance))


class QuantizedArray:
    """A quantized array, x^q = offset + sum_i scalars[i] * signs[i].

    It has a copy of x, of which all but the scalars is computed when it is first asked for: what
    happens to x later changes nothing.

    Attributes:
        scheme: the name of the scheme.
        axes: the axes that keep scalars of their own, ascending.
        scalars: float32, (k, *sizes of the axes). Planes that share one scalar v have
            its multiples: ternary v, v; uniform levels .., 4v, 2v, v.
        signs: int8, (k, *x.shape), +1 and -1.
        offset: float32, (*sizes of the axes); 0 for all schemes but dorefa and hwgq.
        thresholds, codes: float32 (2^k - 1, *sizes of the axes) and uint8 (2^k, *sizes
            of the axes) where the planes do not follow from the scalars by the sign
            cascade, else None. Where x is at least r of the thresholds, its planes are
            the bits of codes[r], plane 1 the highest.
        error: ||x - x^q||^2 / ||x||^2.
        angle: between x and x^q, in degrees.
        errors, angles: the same of each group, float64, (*sizes of the axes).
    """

    scheme: str
    axes: tuple[int, ...]
    scalars: Floats
    offset: Floats
    thresholds: Floats | None
    codes: NDArray[np.uint8] | None

    def __init__(
        self, x: Floats, scheme: str, axes: tuple[int, ...], parameters: tuple[NDArray[Any], ...]
    ):
        self.scheme, self.axes = scheme, axes
        self._x, self._parameters = x, parameters
        sizes = tuple(x.shape[a] for a in axes)
        planes, _ = _bquant.scheme_info(scheme)
        ratios = _bquant.scheme_ratios(scheme)
        scalars, offsets, thresholds, codes = parameters
        if ratios:
            scalars = np.array(ratios, np.float32)[:, np.newaxis] * scalars
        self.scalars = scalars.reshape((planes, *sizes)).copy()
        self.offset = np.zeros(sizes, np.float32)
        if len(offsets):
            self.offset[...] = offsets.reshape(sizes)
        self.thresholds = self.codes = None
        if len(thresholds):
            self.thresholds = thresholds.reshape((len(thresholds), *sizes)).copy()
            self.codes = codes.reshape((len(codes), *sizes)).copy()

    @property
    def shape(self) -> tuple[int, ...]:
        return self._x.shape

    @_Lazy
    def signs(self) -> NDArray[np.int8]:
        return _bquant.signs(self._x, self.scheme, self.axes, *self._parameters)

    @_Lazy
    def _fit(self) -> tuple[float, float]:
        return _bquant.fit(self._x, self.scheme, self.axes, *self._parameters)

    @property
    def error(self) -> float:
        return self._fit[0]

    @property
    def angle(self) -> float:
        return self._fit[1]

    @property
    def words(self) -> NDArray[np.uint32]:
        """Packed planes, uint32, (k, *shape[:-1], ceil(C / 32)).

        Channel c is bit c mod 32 of word c div 32, 1 for +1; unused bits are 0.
        """
        return _bquant.words(self._x, self.scheme, self.axes, *self._parameters)

    def dequantize(self) -> Floats:
        """x^q, float32, of x's shape, as compiled code computes it in f32."""
        return _bquant.decode(self._x, self.scheme, self.axes, *self._parameters)

    @_Lazy
    def _group_sums(self) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """<x, x>, <x^q, x^q>, <x, x^q> and ||x - x^q||^2 of each group."""
        others = tuple(d for d in range(self._x.ndim) if d not in self.axes)
        x, q = self._x.astype(np.float64), self.dequantize().astype(np.float64)
        return tuple((a * b).sum(others) for a, b in ((x, x), (q, q), (x, q), (x - q, x - q)))

    @property
    def errors(self) -> Doubles:
        xx, _, _, ee = self._group_sums
        return np.divide(ee, xx, out=np.zeros_like(xx), where=xx > 0)

    @property
    def angles(self) -> Doubles:
        xx, qq, xq, _ = self._group_sums
        both, one = (xx > 0) & (qq > 0), (xx > 0) | (qq > 0)
        cosines = np.divide(xq, np.sqrt(xx * qq), out=np.zeros_like(xx), where=both)
        return np.where(one, np.degrees(np.arccos(np.clip(cosines, -1, 1))), 0.0)

    def __repr__(self) -> str:
        return (
            f"QuantizedArray(shape={self.shape}, scheme={self.scheme!r}, axes={self.axes}, "
            f"error={self.error:.6g}, angle={self.angle:.4g})"
        )


class RankOneArray:
    """The signs of a matrix with a scale for each row and column; for analysis only.

    x^q[i, ...] = rows[i] * columns[...] * sign(x[i, ...]); the matrix is x with all
    dimensions but the first flattened.

    Attributes:
        scheme: "rank-1" or "xnor".
        rows, columns: float64, of x.shape[:1] and x.shape[1:]; columns have a mean
            square of 1, and are 1 for "xnor".
        energy: ||x^q||^2 / ||x||^2, the share that is captured; for "rank-1"
            sigma_1^2 / ||x||^2 of |x|, which no scales surpass.
        error: ||x - x^q||^2 / ||x||^2 = 1 - energy.
        angle: between x and x^q, in degrees.
    """

    scheme: str
    rows: Doubles
    columns: Doubles
    energy: float
    error: float
    angle: float

    def __init__(self, x: Floats, scheme: str):
        if x.ndim < 2:
            raise ValueError(f"expected an array of rank 2 or more, but got rank {x.ndim}")
        self.scheme, self._x = scheme, x
        matrix = x.reshape(x.shape[0], int(np.prod(x.shape[1:])))
        self.rows, columns, self.energy = _bquant.rank_one(matrix, scheme == "xnor")
        self.columns = columns.reshape(x.shape[1:])
        self.error = 1 - self.energy
        self.angle = float(np.degrees(np.arccos(np.sqrt(self.energy))))

    @property
    def shape(self) -> tuple[int, ...]:
        return self._x.shape

    @property
    def signs(self) -> NDArray[np.int8]:
        """int8, (1, *x.shape), +1 and -1."""
        return np.where(self._x >= 0, np.int8(1), np.int8(-1))[np.newaxis]

    def dequantize(self) -> Floats:
        """x^q, float32, of x's shape."""
        rows = self.rows.reshape(-1, *[1] * (len(self.shape) - 1))
        return (rows * self.columns * self.signs[0]).astype(np.float32)

    def __repr__(self) -> str:
        return (
            f"RankOneArray(shape={self.shape}, scheme={self.scheme!r}, "
            f"energy={self.energy:.6g}, angle={self.angle:.4g})"
        )


class LloydArray:
    """The best of all scalar quantizations to 2^k levels, the bound of k bits; for analysis only.

    Levels are any numbers, so that they are no sums of k scaled signs in general.

    Attributes:
        scheme: "lloyd-1" to "lloyd-8".
        axes: the axes that keep levels of their own, ascending.
        levels: float64, (2^k, *sizes of the axes), ascending; the last stands again where there are
            fewer different values. Each is the mean of the values that go to it as the nearest.
            They are optimal for up to 512 different values; of more, means and nearest levels in
            turn have converged, from two starts.
        thresholds: float64, (2^k - 1, *sizes of the axes), the midpoints of the levels.
        error: ||x - x^q||^2 / ||x||^2.
        angle: between x and x^q, in degrees; cos^2 is 1 - error.
        errors, angles: the same of each group, float64, (*sizes of the axes).
    """

    scheme: str
    axes: tuple[int, ...]
    levels: Doubles
    thresholds: Doubles
    error: float
    angle: float
    errors: Doubles
    angles: Doubles

    def __init__(self, x: Floats, scheme: str, axes: tuple[int, ...]):
        planes = scheme.removeprefix("lloyd-")
        if planes not in tuple("12345678"):
            raise ValueError(f"expected a scheme of {_SCHEMES}, but got {scheme!r}")
        if not x.size:
            raise ValueError(f"expected an array that is not empty, but got shape {list(x.shape)}")
        if not np.isfinite(x).all():
            index = [int(i) for i in np.argwhere(~np.isfinite(x))[0]]
            raise ValueError(f"expected finite values, but got {x[tuple(index)]} at {index}")
        self.scheme, self.axes, self._x = scheme, axes, x
        sizes = tuple(x.shape[a] for a in axes)
        others = [d for d in range(x.ndim) if d not in axes]
        # The groups in rows, and back.
        self._order = (*axes, *others)
        self._rows = x.transpose(self._order).reshape(int(np.prod(sizes)), -1).astype(np.float64)
        levels = np.array([_lloyd.levels_of(row, 1 << int(planes)) for row in self._rows])
        self.levels = levels.T.reshape(-1, *sizes)
        self.thresholds = (self.levels[1:] + self.levels[:-1]) / 2
        norms = np.square(self._rows).sum(1)
        errors = np.square(self._rows - self._quantized()).sum(1)
        # What is all zeros is met exactly.
        self.error = float(errors.sum() / (norms.sum() or 1))
        self.errors = (errors / np.where(norms == 0, 1, norms)).reshape(sizes)
        self.angle = float(_angle(self.error))
        self.angles = _angle(self.errors)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._x.shape

    def _quantized(self) -> Doubles:
        levels = self.levels.reshape(len(self.levels), -1).T
        thresholds = self.thresholds.reshape(len(self.thresholds), -1).T
        ranks = (np.searchsorted(t, row) for t, row in zip(thresholds, self._rows, strict=True))
        return np.stack([row[rank] for row, rank in zip(levels, ranks, strict=True)])

    def dequantize(self) -> Floats:
        """x^q, float32, of x's shape."""
        shape = [self._x.shape[d] for d in self._order]
        back = np.argsort(self._order)
        return self._quantized().reshape(shape).transpose(back).astype(np.float32)

    def __repr__(self) -> str:
        return (
            f"LloydArray(shape={self.shape}, scheme={self.scheme!r}, axes={self.axes}, "
            f"error={self.error:.6g}, angle={self.angle:.4g})"
        )


def _angle(error: float | Doubles) -> Doubles:
    return np.degrees(np.arcsin(np.sqrt(error)))


def quantize(
    x: ArrayLike | torch.Tensor,
    scheme: str,
    axis: int | Sequence[int] | None = None,
    scalars: ArrayLike | torch.Tensor | None = None,
) -> QuantizedArray | RankOneArray | LloydArray:
    """Quantizes an array of real numbers.

    Args:
        x: the values, an array or a torch tensor; copied, and computed with in float32.
        scheme: "ls-1" to "ls-8" (least squares), "ls-T" (least squares, ternary),
            "gf-1" to "gf-8" (greedy foldable), "bwn" (ls-1), "twn" (ternary weight
            networks), "dorefa-1" to "dorefa-8" (DoReFa-Net's activations),
            "dorefa-w-1" to "dorefa-w-8" (its weights), "hwgq-1" to "hwgq-8" (half-wave
            Gaussian), or "given" with `scalars`, "given-T" for ternary ones. For
            analysis also "rank-1" and "xnor", which give a RankOneArray, and "lloyd-1" to
            "lloyd-8", the best levels of as many bits, which give a LloydArray.
        axis: the axis or axes that keep scalars of their own, e.g. 0 for filters
            (out, in, kh, kw). None: one set of scalars for the whole array.
        scalars: of "given" only: (k, *sizes of the axes), not negative; the signs
            are those of the cascade s_i = sign(x - sum_{j<i} v_j s_j).

    Raises:
        ValueError: x is empty or holds NaN or Inf, an axis or a scheme that does
            not exist, scalars of another shape.
        TypeError: x or scalars are not real numbers.

    Data that is all zero gives scalars 0 and a RuntimeWarning.

    >>> q = quantize(np.array([3.0, -1.0, 2.0, -4.0]), "ls-2")
    >>> q.scalars
    array([2.5, 1. ], dtype=float32)
    """
    if not isinstance(scheme, str):
        raise TypeError(f"expected the name of a scheme, but got {scheme!r}")
    values, is_new = _real_array(x, "x")
    axes = _axes(axis, values.ndim)
    sizes = tuple(values.shape[a] for a in axes)

    if scheme in ("rank-1", "xnor"):
        if axes not in ((), (0,)) or scalars is not None:
            raise ValueError(f"expected neither scalars nor an axis but 0 for {scheme!r}")
        return RankOneArray(values if is_new else values.copy(), scheme)
    if scheme.startswith("lloyd-"):
        if scalars is not None:
            raise ValueError(f"expected no scalars for the scheme {scheme!r}, but got some")
        return LloydArray(values if is_new else values.copy(), scheme, axes)

    is_given = scheme.split("-")[0] == "given"
    if scheme != "given":
        try:
            _bquant.scheme_info(scheme)
        except ValueError:
            raise ValueError(f"expected a scheme of {_SCHEMES}, but got {scheme!r}") from None
    if not is_given and scalars is not None:
        raise ValueError(f"expected no scalars for the scheme {scheme!r}, but got some")
    if is_given:
        if scalars is None:
            raise ValueError(f"expected scalars for the scheme {scheme!r}, but got none")
        rows = _given_scalars(scalars, scheme, sizes)
        name = f"given-{rows.shape[0]}" if scheme == "given" else scheme
        none = np.zeros((0, rows.shape[1]), np.float32)
        parameters = (rows, none, none, none.astype(np.uint8))
        own = values if is_new else values.copy()
        _bquant.check(own, name, axes, *parameters)
        return QuantizedArray(own, name, axes, parameters)

    *parameters, zero_groups, copy = _bquant.solve(values, scheme, axes, copy=not is_new)
    if zero_groups:
        what = "all values"
        if axes:
            what += f" of {zero_groups} of {parameters[0].shape[1]} groups"
        warnings.warn(f"{what} are zero, so their scalars are 0", RuntimeWarning, stacklevel=2)
    own = values if is_new else copy
    q = QuantizedArray(own, scheme, axes, tuple(parameters))
    # Greedy scalars can add up to more than float32 holds, but 8 of them only where one is large.
    if not q.scalars.max() < 3e37:
        _bquant.check(own, scheme, axes, *parameters)
    return q


def _real_array(x: Any, what: str) -> tuple[Floats, bool]:
    """x in float32, dense, and whether that is a new array for sure."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        if x.layout != torch.strided or x.is_meta:
            kind = "meta" if x.is_meta else str(x.layout).removeprefix("torch.")
            raise TypeError(
                f"expected {what} to be a dense tensor with values, but got a {kind} one"
            )
        x = x.detach().cpu()  # a parameter, or on another device
        x = x.resolve_conj().resolve_neg()  # views that change what is in memory
        if x.is_floating_point():
            x = x.float()  # of types that NumPy lacks, too
    array = np.asarray(x)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"expected {what} to hold real numbers, but got dtype {array.dtype}")
    if array.dtype == np.float32 and array.flags.c_contiguous:
        return array, False
    with np.errstate(over="ignore"):  # what float32 cannot hold is reported as inf
        return array.astype(np.float32, order="C"), True


def _axes(axis: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    if axis is None:
        return ()
    try:
        several = axis if isinstance(axis, (Sequence, np.ndarray)) else [axis]
        axes = [operator.index(a) for a in several]
    except TypeError:
        raise TypeError(f"expected axis to be None, an int or ints, but got {axis!r}") from None
    for a in axes:
        if not -rank <= a < rank:
            raise ValueError(f"expected an axis from {-rank} to {rank - 1}, but got {a}")
    axes = sorted(a % rank for a in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f"expected different axes, but got {axis!r}")
    return tuple(axes)


def _given_scalars(scalars: Any, scheme: str, sizes: tuple[int, ...]) -> Floats:
    """The scalars as rows of groups, (scalars of a group, groups); a new array."""
    array, is_new = _real_array(scalars, "scalars")
    array = array if is_new else array.copy()
    if array.ndim != 1 + len(sizes) or array.shape[1:] != sizes:
        expected = ", ".join(["k", *map(str, sizes)])
        raise ValueError(f"expected scalars of shape ({expected}), but got {array.shape}")
    rows = array.reshape(array.shape[0], int(np.prod(sizes)))
    if scheme == "given":
        if not 1 <= len(rows) <= 8:
            raise ValueError(f"expected scalars of 1 to 8 planes, but got {len(rows)}")
        return rows
    planes, needed = _bquant.scheme_info(scheme)
    # Ternary: v, or what QuantizedArray.scalars holds, (v, v).
    if needed == 1 and len(rows) == planes and (rows == rows[0]).all():
        rows = rows[:1]
    if len(rows) != needed:
        raise ValueError(
            f"expected {needed} scalars for the scheme {scheme!r}, but got {len(rows)}"
        )
    return np.ascontiguousarray(rows)
