//! Dense arrays with one element a cell, row by row, without a border.

use crate::bitgrid::{LocalRect, Shape};

/// One element a cell, row-major over the map, as scripts see bulk data.
#[derive(Clone, PartialEq, Debug)]
pub struct Raster<T> {
    width: u32,
    height: u32,
    elements: Vec<T>,
}

impl<T: Copy + PartialEq> Raster<T> {
    /// An array with `value` everywhere.
    pub fn filled(shape: Shape, value: T) -> Self {
        Self { width: shape.width(), height: shape.height(), elements: vec![value; shape.cells()] }
    }

    /// The measures of the map that it is of.
    pub const fn shape(&self) -> Shape {
        Shape::new(self.width, self.height)
    }

    /// All elements, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }

    /// All elements, row by row.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        size_of_val(self.elements.as_slice())
    }

    /// The element at column `x` and row `y`.
    #[inline]
    pub fn get(&self, x: u32, y: u32) -> T {
        self.elements[self.place(x, y)]
    }

    /// Writes the element at column `x` and row `y`.
    #[inline]
    pub fn set(&mut self, x: u32, y: u32, value: T) {
        let place = self.place(x, y);
        self.elements[place] = value;
    }

    /// Row `y`.
    #[inline]
    pub fn row(&self, y: u32) -> &[T] {
        let start = y as usize * self.width as usize;
        &self.elements[start..start + self.width as usize]
    }

    /// Row `y`.
    #[inline]
    pub fn row_mut(&mut self, y: u32) -> &mut [T] {
        let start = y as usize * self.width as usize;
        &mut self.elements[start..start + self.width as usize]
    }

    /// Two rows at once: `y` to write and `y + 1` to read.
    #[inline]
    pub fn row_and_below(&mut self, y: u32) -> (&mut [T], &[T]) {
        let width = self.width as usize;
        let (upper, lower) = self.elements[y as usize * width..].split_at_mut(width);
        (upper, &lower[..width])
    }

    /// Writes `rect`; returns the smallest rectangle that holds all changes, if there are any.
    pub fn fill(&mut self, rect: LocalRect, value: T) -> Option<LocalRect> {
        let mut changed: Option<LocalRect> = None;
        for y in rect.y0..rect.y1 {
            let part = &mut self.row_mut(y)[rect.x0 as usize..rect.x1 as usize];
            let Some(first) = part.iter().position(|&e| e != value) else { continue };
            let last = part.iter().rposition(|&e| e != value).unwrap_or(first);
            part.fill(value);
            LocalRect::join(
                &mut changed,
                LocalRect { x0: rect.x0 + first as u32, y0: y, x1: rect.x0 + last as u32 + 1, y1: y + 1 },
            );
        }
        changed
    }

    #[inline]
    fn place(&self, x: u32, y: u32) -> usize {
        debug_assert!(x < self.width && y < self.height);
        y as usize * self.width as usize + x as usize
    }
}
