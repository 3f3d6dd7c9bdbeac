//! State that methods reach without borrowing their object.
//!
//! gdext guards every object with a lock, a condition variable and a map of threads, and wakes threads that
//! wait for it whether there are any or not. That is a call of the operating system for each borrow, which
//! takes longer than reading a cell. So state that scripts read often lies in a [`State`] beside the object,
//! under a lock of its own. Methods that use nothing else take `this: Gd<Self>`, which borrows nothing, and
//! find the state by [`of`].
//!
//! Order of locks, on all threads:
//!
//! 1. borrows of nodes, the grid's last; only the main thread has more than one;
//! 2. the borrow of a resource or of a result;
//! 3. states, by [`Rank`]: an object's own, then the state that it asks (a field its grid).
//!
//! While a state is locked, nothing is borrowed, no signal is emitted, no error is printed and no script
//! runs. While a resource is borrowed, no signal is emitted. `thread_guard` keeps other threads from the
//! nodes.

use std::any::Any;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

use godot::obj::Bounds;
use godot::obj::bounds::DeclUser;
use godot::prelude::*;

/// Objects that a thread remembers, by the low bits of their ids. A power of two.
const REMEMBERED: usize = 4096;

/// Where a state lies in the order of locks: a thread locks only states of higher ranks than it has locked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    Agent,
    Field,
    Influence,
    Grid,
}

/// A value under a lock.
pub struct State<T> {
    #[cfg_attr(
        not(debug_assertions),
        expect(dead_code, reason = "only debug builds check the order of locks")
    )]
    rank: Rank,
    /// The thread that has it locked, 0 for none.
    owner: AtomicUsize,
    value: Mutex<T>,
}

/// The state of one object, which the object holds as long as it lives.
pub struct Own<T>(Arc<State<T>>);

impl<T> Own<T> {
    pub fn new(rank: Rank, value: T) -> Self {
        Self(State::new(rank, value))
    }
}

impl<T> Deref for Own<T> {
    type Target = Arc<State<T>>;

    fn deref(&self) -> &Arc<State<T>> {
        &self.0
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        GONE.fetch_add(1, Ordering::Release);
    }
}

/// How many objects with a state are gone. Code that remembers objects by address looks them up again when it
/// has changed.
pub fn gone() -> usize {
    GONE.load(Ordering::Acquire)
}

static GONE: AtomicUsize = AtomicUsize::new(0);

impl<T> State<T> {
    fn new(rank: Rank, value: T) -> Arc<Self> {
        Arc::new(Self { rank, owner: AtomicUsize::new(0), value: Mutex::new(value) })
    }

    /// Locks the value; `None` while any thread has it.
    #[allow(clippy::inline_always, reason = "the binding is built for size: see docs/decisions/engine.md")]
    #[inline(always)]
    pub fn try_lock(&self) -> Option<Guard<'_, T>> {
        let guard = match self.value.try_lock() {
            Ok(guard) => guard,
            // A call that panicked is reported by the binding; the next one goes on with what is there.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(self.own(guard))
    }

    /// Locks the value; waits while another thread has it.
    ///
    /// # Panics
    /// If this thread has it locked already, which would wait for ever. In debug builds, also when it
    /// violates the order of locks.
    pub fn lock(&self) -> Guard<'_, T> {
        #[cfg(debug_assertions)]
        held::check(self.rank);
        self.try_lock().unwrap_or_else(|| {
            // Only this thread ever writes its own token, so the comparison needs no ordering.
            assert!(self.owner.load(Ordering::Relaxed) != thread_token(), "the state is locked twice");
            self.own(self.value.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }

    #[allow(clippy::inline_always, reason = "as for `try_lock`")]
    #[inline(always)]
    fn own<'a>(&'a self, guard: MutexGuard<'a, T>) -> Guard<'a, T> {
        self.owner.store(thread_token(), Ordering::Relaxed);
        #[cfg(debug_assertions)]
        held::note(self.rank);
        Guard { state: self, guard }
    }
}

/// A [`State`] that is locked while this lives.
pub struct Guard<'a, T> {
    state: &'a State<T>,
    guard: MutexGuard<'a, T>,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.guard
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.state.owner.store(0, Ordering::Relaxed);
        #[cfg(debug_assertions)]
        held::forget(self.state.rank);
    }
}

/// The ranks of the states that a thread has locked.
#[cfg(debug_assertions)]
mod held {
    use std::cell::Cell;

    use super::Rank;

    thread_local! {
        static COUNTS: Cell<[u32; 4]> = const { Cell::new([0; 4]) };
    }

    pub fn check(rank: Rank) {
        let later = COUNTS.get().iter().rposition(|&count| count > 0);
        debug_assert!(
            later.is_none_or(|later| later < rank as usize),
            "a state of rank {rank:?} is locked after one of rank {later:?}"
        );
    }

    pub fn note(rank: Rank) {
        change(rank, 1);
    }

    pub fn forget(rank: Rank) {
        change(rank, u32::MAX);
    }

    fn change(rank: Rank, by: u32) {
        let mut counts = COUNTS.get();
        counts[rank as usize] = counts[rank as usize].wrapping_add(by);
        COUNTS.set(counts);
    }
}

/// A class whose objects have a state.
pub trait HasState: GodotClass + Bounds<Declarer = DeclUser> {
    type State: Send + 'static;

    fn state(&self) -> &Arc<State<Self::State>>;
}

/// The state of the object of this id; `None` when it is gone.
pub fn of_id<T: HasState>(id: InstanceId) -> Option<Arc<State<T::State>>> {
    remembered(id).or_else(|| Some(of(&Gd::<T>::try_from_instance_id(id).ok()?)))
}

/// The state of `object`, without a borrow where this thread has asked for it before.
pub fn of<T: HasState>(object: &Gd<T>) -> Arc<State<T::State>> {
    let id = object.instance_id_unchecked();
    remembered(id).unwrap_or_else(|| {
        // Exclusively, since only the main thread may borrow shared: see `grid`.
        let state = Arc::clone(object.clone().bind_mut().state());
        remember(id, &state);
        state
    })
}

type Slot = Option<(InstanceId, Weak<dyn Any + Send + Sync>)>;

thread_local! {
    /// The objects that this thread asked last. Ids are never given twice, and a freed object's state is not
    /// kept.
    static LATEST: RefCell<Box<[Slot]>> = RefCell::new(vec![const { None }; REMEMBERED].into());
    /// Its address tells threads apart.
    static TOKEN: u8 = const { 0 };
}

fn remembered<T: Send + 'static>(id: InstanceId) -> Option<Arc<State<T>>> {
    let state = LATEST.with_borrow(|latest| match &latest[slot(id)] {
        Some((known, state)) if *known == id => state.upgrade(),
        _ => None,
    })?;
    state.downcast().ok()
}

fn remember<T: Send + 'static>(id: InstanceId, state: &Arc<State<T>>) {
    let state: Arc<dyn Any + Send + Sync> = state.clone();
    LATEST.with_borrow_mut(|latest| latest[slot(id)] = Some((id, Arc::downgrade(&state))));
}

fn slot(id: InstanceId) -> usize {
    id.to_i64() as usize % REMEMBERED
}

/// As the binding's own function, which makes a pointer to the thread's description and drops it again.
pub fn is_main_thread() -> bool {
    /// The token of the main thread, once it has asked: it lives as long as the library.
    static MAIN: AtomicUsize = AtomicUsize::new(0);
    // A thread reads either its own token or that of another, so the comparison needs no ordering.
    let is_known = MAIN.load(Ordering::Relaxed) == thread_token();
    if !is_known && godot::init::is_main_thread() {
        MAIN.store(thread_token(), Ordering::Relaxed);
    }
    is_known || godot::init::is_main_thread()
}

fn thread_token() -> usize {
    TOKEN.with(|token| std::ptr::from_ref(token) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "is locked")]
    fn a_thread_that_locks_twice_is_told() {
        let state = State::new(Rank::Grid, 1);
        let _first = state.lock();
        let _second = state.lock();
    }

    #[test]
    fn states_are_locked_in_order() {
        let [agent, field, grid] = [Rank::Agent, Rank::Field, Rank::Grid].map(|rank| State::new(rank, 0));
        for _ in 0..2 {
            let (_agent, _field) = (agent.lock(), field.lock());
            let _grid = grid.lock();
        }
    }

    #[test]
    #[should_panic(expected = "rank Field is locked after")]
    fn the_wrong_order_is_told() {
        let [field, grid] = [Rank::Field, Rank::Grid].map(|rank| State::new(rank, 0));
        let _grid = grid.lock();
        let _field = field.lock();
    }

    #[test]
    fn another_thread_waits() {
        let state = State::new(Rank::Grid, 0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| *state.lock() += 1));
            }
        });
        assert_eq!(*state.lock(), 4000);
    }

    #[test]
    fn a_panic_leaves_the_state_usable() {
        let state = State::new(Rank::Grid, 7);
        let other = Arc::clone(&state);
        assert!(
            std::thread::spawn(move || {
                let _locked = other.lock();
                panic!("on purpose");
            })
            .join()
            .is_err()
        );
        assert_eq!(*state.lock(), 7);
    }

    #[test]
    fn what_is_freed_is_not_kept() {
        let id = InstanceId::from_i64(4711);
        let state = State::new(Rank::Grid, 3);
        remember(id, &state);
        assert_eq!(remembered::<i32>(id).map(|state| *state.lock()), Some(3));
        assert!(remembered::<i32>(InstanceId::from_i64(4711 + REMEMBERED as i64)).is_none());
        drop(state);
        assert!(remembered::<i32>(id).is_none());
    }
}
