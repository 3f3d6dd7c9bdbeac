use std::sync::Mutex;

/// The memory of finished searches, which later ones reuse: after a few searches none allocates.
///
/// The pool holds at most as many items as were lent at the same time: one for each thread that searched.
#[derive(Debug, Default)]
// Boxed, as a scratch is some hundred bytes long, which each short search would move in and out.
pub(crate) struct ScratchPool<T>(Mutex<Vec<Box<T>>>);

impl<T: Default> ScratchPool<T> {
    /// Does `work` with memory that nothing else uses meanwhile.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // The lock is held for a push or a pop, never for the search. A poisoned pool only costs an
        // allocation.
        let mut scratch = self.0.lock().ok().and_then(|mut pool| pool.pop()).unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut pool) = self.0.lock() {
            pool.push(scratch);
        }
        result
    }
}
