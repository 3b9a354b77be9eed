/// Which of `count` parts of a split map holds this id. Ids differ most at their end; keys that
/// meet in one part cost a wait for its lock and nothing else.
pub(crate) fn of(id: &str, count: usize) -> usize {
    let end = id.bytes().rev().take(8);
    end.fold(0_usize, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    }) % count
}
