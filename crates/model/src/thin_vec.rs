//! A list that takes one word while it is empty.

use std::ops::Deref;

/// A list that is mostly empty: an empty one takes one pointer instead of the three words of a `Vec`.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::box_collection, reason = "each resource has one of these, mostly empty")]
pub struct ThinVec<T>(Option<Box<Vec<T>>>);

impl<T> ThinVec<T> {
    /// Appends an element.
    pub fn push(&mut self, one: T) {
        self.0.get_or_insert_default().push(one);
    }

    /// Keeps the elements that meet the condition.
    pub fn retain(&mut self, is_so: impl FnMut(&T) -> bool) {
        let mut list = Vec::from(std::mem::take(self));
        list.retain(is_so);
        *self = list.into();
    }
}

impl<T> Default for ThinVec<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for ThinVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |list| list)
    }
}

impl<T> From<Vec<T>> for ThinVec<T> {
    fn from(list: Vec<T>) -> Self {
        Self((!list.is_empty()).then(|| Box::new(list)))
    }
}

impl<T> From<ThinVec<T>> for Vec<T> {
    fn from(few: ThinVec<T>) -> Self {
        few.0.map_or_else(Vec::new, |list| *list)
    }
}

impl<T> Extend<T> for ThinVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|one| self.push(one));
    }
}

impl<T> FromIterator<T> for ThinVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        Vec::from_iter(list).into()
    }
}

impl<T> IntoIterator for ThinVec<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

impl<'a, T> IntoIterator for &'a ThinVec<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list() {
        let check = |few: ThinVec<u8>, expected: &[u8]| {
            assert_eq!(&*few, expected);
            assert_eq!(few.into_iter().collect::<Vec<_>>(), expected);
        };
        check(ThinVec::default(), &[]);
        check(Vec::new().into(), &[]);
        check((1..4).collect(), &[1, 2, 3]);
        let mut few: ThinVec<u8> = vec![1].into();
        few.push(2);
        few.extend([3, 4]);
        check(few.clone(), &[1, 2, 3, 4]);
        few.retain(|one| one % 2 == 0);
        check(few.clone(), &[2, 4]);
        few.retain(|_| false);
        assert_eq!(few, ThinVec::default(), "an emptied list equals a new one");
    }

    #[test]
    fn none_costs_a_pointer() {
        assert_eq!(size_of::<ThinVec<String>>(), size_of::<usize>());
    }
}
