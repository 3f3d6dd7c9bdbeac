//! Long arrays whose copies share what neither of them has written: pages of elements, each behind a counted
//! pointer.
//!
//! Searches read the map as it was when they were asked for, while the game edits it. On 4096² that is a
//! hundred megabytes; an edit copies the pages that it writes and the list of pages, some ten microseconds
//! each.

use std::ops::{Index, Range};
use std::sync::Arc;

/// A view of an array for loops that read many elements: it stays in registers, so an access takes little
/// longer than one to a slice.
#[derive(Clone, Copy, Debug)]
pub struct PageView<'a, T, const N: usize>(&'a [Arc<[T; N]>]);

impl<'a, T, const N: usize> PageView<'a, T, N> {
    /// Returns the element at `at`.
    #[inline]
    pub fn at(self, at: usize) -> &'a T {
        // `N` is a power of two known at compile time, so this is a shift and a mask.
        &self.0[at / N][at % N]
    }
}

/// An array in pages of `N` elements, a power of two, which should take some ten kilobytes. A clone shares
/// all of them until one of both is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pages<T, const N: usize> {
    /// The last page has default elements behind the array's end.
    pages: Vec<Arc<[T; N]>>,
    len: usize,
}

// All are pages of 32 KB: a first write after a clone copies one page of a map instead of all of it (figures:
// docs/decisions/copy_on_write.md). The size is fixed at compile time, since a search pays for a variable
// one.
/// Words of bits.
pub type WordPages = Pages<u64, 4096>;
/// The pages of those.
pub type WordView<'a> = PageView<'a, u64, 4096>;
/// A number a cell.
pub type NumberPages = Pages<u32, 8192>;
/// The pages of those.
pub type NumberView<'a> = PageView<'a, u32, 8192>;
/// A byte a cell.
pub type BytePages = Pages<u8, 32_768>;

impl<T, const N: usize> Pages<T, N> {
    /// Returns an array without elements.
    pub const fn new() -> Self {
        Self { pages: Vec::new(), len: 0 }
    }

    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of its elements, as if it shared none and were not rounded up to whole pages.
    pub const fn memory(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Returns the places of the elements that differ from those of an array of the same length. Pages that
    /// both share are not looked at.
    pub fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a
    where
        T: PartialEq,
    {
        debug_assert_eq!(self.len, other.len);
        let pages = self.pages.iter().zip(&other.pages).enumerate();
        pages.filter(|(_, (a, b))| !Arc::ptr_eq(a, b)).flat_map(|(page, (a, b))| {
            let places = a.iter().zip(b.iter()).enumerate().filter(|(_, (a, b))| a != b);
            places.map(move |(at, _)| page * N + at)
        })
    }

    /// Returns a view of all elements, for reading.
    #[inline]
    pub fn view(&self) -> PageView<'_, T, N> {
        PageView(&self.pages)
    }

    /// Returns the parts of `range` that lie in one page each.
    fn parts(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let pages = range.start / N..range.end.div_ceil(N);
        pages.map(move |page| range.start.max(page * N)..range.end.min((page + 1) * N))
    }

    const fn in_page(range: &Range<usize>) -> Range<usize> {
        let first = range.start % N;
        first..first + (range.end - range.start)
    }
}

/// The places and former values of elements that were overwritten, in the order of writing.
pub(crate) type Log<T> = Vec<(u32, T)>;

impl<T: Copy + Default + PartialEq, const N: usize> Pages<T, N> {
    /// Returns an array of `len` times `value`. Takes the memory of one page until it is written.
    pub fn filled(len: usize, value: T) -> Self {
        let mut pages = Vec::with_capacity(len.div_ceil(N));
        if len >= N {
            // Clones of one pointer: full pages share memory until one of them is written.
            pages.resize(len / N, Arc::new([value; N]));
        }
        // Defaults behind the end, not `value`: pages are compared whole.
        if !len.is_multiple_of(N) {
            let mut page = [T::default(); N];
            page[..len % N].fill(value);
            pages.push(Arc::new(page));
        }
        Self { pages, len }
    }

    /// Returns an array of `len` elements, written part by part: `write` is called with the place of each
    /// part's first element, and with the part, which holds defaults. Parts lie in a page each.
    pub(crate) fn from_parts(len: usize, mut write: impl FnMut(usize, &mut [T])) -> Self {
        let page = |first: usize| {
            let mut page = Self::page(std::iter::repeat_n(T::default(), N));
            let elements = Arc::get_mut(&mut page).expect("a page that nothing shares yet");
            write(first, &mut elements[..N.min(len - first)]);
            page
        };
        Self { pages: (0..len).step_by(N).map(page).collect(), len }
    }

    /// Returns a page of `N` elements, which are written where they stay: made in an array first, they would
    /// be written once more.
    #[inline]
    fn page(elements: impl Iterator<Item = T>) -> Arc<[T; N]> {
        elements.collect::<Arc<[T]>>().try_into().ok().expect("a page of N elements")
    }

    /// Returns the elements of `range`.
    pub fn to_vec(&self, range: Range<usize>) -> Vec<T> {
        let mut elements = Vec::with_capacity(range.len());
        self.append_to(&mut elements, range);
        elements
    }

    /// Appends the elements of `range` to `target`.
    pub fn append_to(&self, target: &mut Vec<T>, range: Range<usize>) {
        for part in Self::parts(range) {
            target.extend_from_slice(self.block(part));
        }
    }

    /// Returns the elements of `range`, which are copied to `buffer` where they do not lie in a row.
    #[inline]
    pub fn read<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<T>) -> &'a [T] {
        let page = range.start / N;
        if range.end <= (page + 1) * N {
            // An empty range at the end of the array may lie behind the last page.
            return self.pages.get(page).map_or(&[], |page| &page[Self::in_page(&range)]);
        }
        buffer.clear();
        self.append_to(buffer, range);
        buffer
    }

    /// Returns the elements of `range`, which lies in one page: blocks of a small power of two do, from
    /// multiples of it on.
    #[inline]
    pub fn block(&self, range: Range<usize>) -> &[T] {
        &self.pages[range.start / N][Self::in_page(&range)]
    }

    /// Copies as many elements as `target` has, from `start` on.
    pub fn copy_to(&self, target: &mut [T], start: usize) {
        let mut rest = target;
        for part in Self::parts(start..start + rest.len()) {
            let (now, later) = rest.split_at_mut(part.len());
            now.copy_from_slice(self.block(part));
            rest = later;
        }
    }

    /// As [`Pages::copy_to`], with default elements from the array's end on.
    pub(crate) fn copy_or_default(&self, target: &mut [T], start: usize) {
        let known = target.len().min(self.len - start);
        self.copy_to(&mut target[..known], start);
        target[known..].fill(T::default());
    }

    /// Returns all elements in turn.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.pages.iter().flat_map(|page| page.iter().copied()).take(self.len)
    }

    /// Writes one element.
    #[inline]
    pub fn set(&mut self, at: usize, value: T) {
        // An equal value must not copy a shared page.
        if self[at] != value {
            Arc::make_mut(&mut self.pages[at / N])[at % N] = value;
        }
    }

    /// Writes elements, and notes what they were.
    pub(crate) fn write_noted(&mut self, elements: impl Iterator<Item = (usize, T)>, log: &mut Log<T>) {
        self.write_each(elements, |at, old| log.push((at as u32, old)));
    }

    /// Writes back what was noted, and empties the log.
    pub(crate) fn take_back(&mut self, log: &mut Log<T>) {
        // Newest first: of several notes of one place, the oldest has the value to restore.
        self.write_each(log.drain(..).rev().map(|(at, old)| (at as usize, old)), |_, _| {});
    }

    /// Writes elements, and calls `note` with what each was. Consecutive elements of one page share one
    /// `make_mut`, which takes an atomic operation.
    fn write_each(&mut self, elements: impl Iterator<Item = (usize, T)>, mut note: impl FnMut(usize, T)) {
        let mut elements = elements.peekable();
        while let Some(&(first, _)) = elements.peek() {
            let page = first / N;
            // Copies the page if a clone shares it.
            let values = Arc::make_mut(&mut self.pages[page]);
            while let Some((at, value)) = elements.next_if(|(at, _)| at / N == page) {
                note(at, std::mem::replace(&mut values[at % N], value));
            }
        }
    }

    /// Replaces each element of `range` by `value` of its place and of itself. Pages in which nothing changes
    /// stay shared.
    #[inline]
    pub fn rewrite(&mut self, range: Range<usize>, mut value: impl FnMut(usize, T) -> T) {
        for part in Self::parts(range) {
            let page = &mut self.pages[part.start / N];
            let (start, places) = (part.start, Self::in_page(&part));
            // Reads up to the first change before the page is made writable, which copies a shared one.
            let changed = page[places.clone()].iter().zip(part).find_map(|(&old, at)| {
                let new = value(at, old);
                (new != old).then_some((at, new))
            });
            let Some((first, new)) = changed else { continue };
            let rest = &mut Arc::make_mut(page)[places][first - start..];
            // `value` is called once for each place, as it may have side effects: not again for the first
            // change.
            rest[0] = new;
            for (element, at) in rest[1..].iter_mut().zip(first + 1..) {
                *element = value(at, *element);
            }
        }
    }

    /// Replaces the elements from `start` on by `values`.
    pub fn replace(&mut self, start: usize, values: &[T]) {
        self.rewrite(start..start + values.len(), |at, _| values[at - start]);
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> From<&[T]> for Pages<T, N> {
    fn from(elements: &[T]) -> Self {
        let page = |part: &[T]| match Arc::<[T]>::from(part).try_into() {
            Ok(page) => page,
            // The last one.
            Err(_) => Self::page((0..N).map(|at| part.get(at).copied().unwrap_or_default())),
        };
        Self { pages: elements.chunks(N).map(page).collect(), len: elements.len() }
    }
}

impl<T, const N: usize> Index<usize> for Pages<T, N> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        self.view().at(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 3 * 4096 - 5;

    fn shared(a: &WordPages, b: &WordPages) -> usize {
        a.pages.iter().zip(&b.pages).filter(|(a, b)| Arc::ptr_eq(a, b)).count()
    }

    fn numbered() -> WordPages {
        WordPages::from_parts(LEN, |first, part| {
            part.iter_mut().zip(first as u64..).for_each(|(element, at)| *element = at);
        })
    }

    #[test]
    fn a_copy_shares_what_neither_has_written() {
        let mut pages = numbered();
        let before = pages.clone();
        let edge = 4096;
        pages.rewrite(edge - 2..edge + 2, |_, old| old);
        assert_eq!(shared(&pages, &before), 3, "nothing has changed");
        pages.rewrite(edge - 2..edge + 2, |at, old| if at == edge + 1 { 7 } else { old });
        assert_eq!((pages[edge + 1], before[edge + 1]), (7, edge as u64 + 1));
        assert_eq!(shared(&pages, &before), 2);
        pages.set(LEN - 1, 9);
        pages.set(0, 0);
        assert_eq!(shared(&pages, &before), 1);
        assert_ne!(pages, before);
        pages.replace(edge, &[edge as u64, edge as u64 + 1]);
        pages.set(LEN - 1, LEN as u64 - 1);
        assert_eq!(pages, before);
    }

    #[test]
    fn elements_are_read_across_pages() {
        let pages = numbered();
        let edge = 4096;
        let mut buffer = Vec::new();
        for range in [0..0, 0..3, edge - 1..edge, edge - 1..edge + 1, edge - 3..2 * edge + 3, LEN..LEN] {
            let wanted: Vec<u64> = range.clone().map(|at| at as u64).collect();
            assert_eq!(pages.read(range.clone(), &mut buffer), wanted);
            assert_eq!(pages.to_vec(range), wanted);
        }
        assert!(pages.iter().eq(0..LEN as u64));
        let mut past_end = [7; 4];
        pages.copy_or_default(&mut past_end, LEN - 2);
        assert_eq!(past_end, [LEN as u64 - 2, LEN as u64 - 1, 0, 0]);
        assert_eq!(WordPages::from(&pages.to_vec(0..LEN)[..]), pages);
    }

    #[test]
    fn filled_arrays_have_every_length() {
        let page = 4096;
        for len in [0, 1, page - 1, page, page + 1, 2 * page, 3 * page + 2] {
            let pages = WordPages::filled(len, 4);
            assert_eq!((pages.len(), pages.iter().filter(|&e| e == 4).count()), (len, len));
        }
    }
}
