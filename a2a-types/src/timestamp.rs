//! `google.protobuf.Timestamp`: RFC 3339 in JSON.

use std::{
    error::Error,
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::{
    FieldViolation,
    operation::{Check, Path},
};

/// A point in time, in UTC.
///
/// It is written as `2025-10-28T10:30:00.000Z` (A2A §5.6.1): with milliseconds, what is finer is
/// cut off. It is read from any RFC 3339 text with up to nine digits of a second; another zone is
/// converted, and a text without a zone counts as UTC. Years 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Message)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the well-known type has no more fields"
)]
pub struct Timestamp {
    /// Seconds since the start of 1970; negative before.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// Nanoseconds after that second, 0 to 999,999,999.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// 0001-01-01T00:00:00Z
const FIRST: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
const LAST: i64 = 253_402_300_799;

const DAY: i64 = 86_400;

impl Timestamp {
    /// The present time, in milliseconds: what is kept is what is written.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self::from_unix_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The time so many milliseconds after the start of 1970.
    #[must_use]
    pub fn from_unix_millis(millis: i64) -> Self {
        let nanos = i32::try_from(millis.rem_euclid(1000)).unwrap_or_default() * 1_000_000;
        Self {
            seconds: millis.div_euclid(1000),
            nanos,
        }
    }

    /// Milliseconds since the start of 1970; what is finer is cut off.
    #[must_use]
    pub fn unix_millis(self) -> i64 {
        self.seconds
            .saturating_mul(1000)
            .saturating_add(i64::from(self.nanos / 1_000_000))
    }

    /// Whether it can be written: the years 1 to 9999, and nanoseconds of less than a second.
    #[must_use]
    pub fn is_valid(self) -> bool {
        (FIRST..=LAST).contains(&self.seconds) && (0..1_000_000_000).contains(&self.nanos)
    }

    /// The text of a valid time.
    fn text(self) -> [u8; 24] {
        let digit = |n: i64| b'0' + u8::try_from(n.rem_euclid(10)).unwrap_or_default();
        let (year, month, day) = date(self.seconds.div_euclid(DAY));
        let second = self.seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let milli = i64::from(self.nanos / 1_000_000);
        [
            digit(year / 1000),
            digit(year / 100),
            digit(year / 10),
            digit(year),
            b'-',
            digit(month / 10),
            digit(month),
            b'-',
            digit(day / 10),
            digit(day),
            b'T',
            digit(hour / 10),
            digit(hour),
            b':',
            digit(minute / 10),
            digit(minute),
            b':',
            digit(second / 10),
            digit(second),
            b'.',
            digit(milli / 100),
            digit(milli / 10),
            digit(milli),
            b'Z',
        ]
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_valid() {
            f.write_str(str::from_utf8(&self.text()).unwrap_or_default())
        } else {
            write!(f, "{} s + {} ns", self.seconds, self.nanos)
        }
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let (seconds, nanos) = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => (
                i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
                after.subsec_nanos(),
            ),
            Err(error) => {
                let before = error.duration();
                let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => (-seconds, 0),
                    nanos => (-seconds - 1, 1_000_000_000 - nanos),
                }
            }
        };
        Self {
            seconds,
            nanos: i32::try_from(nanos).unwrap_or_default(),
        }
    }
}

/// The text is not a time that RFC 3339 knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidTimestamp;

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be a time such as 2025-10-28T10:30:00.000Z")
    }
}

impl Error for InvalidTimestamp {}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        parse(text).ok_or(InvalidTimestamp)
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let mut reader = Reader(text.as_bytes());
    let year = reader.number(4)?;
    reader.expect(b"-")?;
    let month = reader.number(2)?;
    reader.expect(b"-")?;
    let day = reader.number(2)?;
    reader.expect(b"Tt")?;
    let hour = reader.number(2)?;
    reader.expect(b":")?;
    let minute = reader.number(2)?;
    reader.expect(b":")?;
    let second = reader.number(2)?;
    let nanos = reader.fraction()?;
    let offset = reader.offset()?;
    let is_time = (1..=12).contains(&month)
        && (1..=days_of(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        // A leap second has no place in the count of seconds.
        && second < 60;
    let seconds = days(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset;
    let timestamp = Timestamp { seconds, nanos };
    (is_time && reader.0.is_empty() && timestamp.is_valid()).then_some(timestamp)
}

/// What is left of a text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn next_if(&mut self, allowed: impl Fn(u8) -> bool) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !allowed(*first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    fn expect(&mut self, one_of: &[u8]) -> Option<u8> {
        self.next_if(|byte| one_of.contains(&byte))
    }

    fn number(&mut self, digits: usize) -> Option<i64> {
        (0..digits).try_fold(0, |number, _| {
            let digit = self.next_if(|byte| byte.is_ascii_digit())?;
            Some(number * 10 + i64::from(digit - b'0'))
        })
    }

    /// Nanoseconds; none when there is no dot.
    fn fraction(&mut self) -> Option<i32> {
        if self.expect(b".").is_none() {
            return Some(0);
        }
        let mut nanos = 0;
        let mut unit = 100_000_000;
        while let Some(digit) = self.next_if(|byte| byte.is_ascii_digit()) {
            nanos += i32::from(digit - b'0') * unit;
            // The unit is gone after nine digits: a tenth is one too many.
            if unit == 0 {
                return None;
            }
            unit /= 10;
        }
        // At least one digit follows the dot.
        (unit != 100_000_000).then_some(nanos)
    }

    /// Seconds that the zone is ahead of UTC; a text without a zone is in UTC.
    fn offset(&mut self) -> Option<i64> {
        if self.0.is_empty() {
            return Some(0);
        }
        match self.expect(b"Zz+-")? {
            sign @ (b'+' | b'-') => {
                let hours = self.number(2).filter(|hours| *hours < 24)?;
                self.expect(b":")?;
                let minutes = self.number(2).filter(|minutes| *minutes < 60)?;
                let offset = hours * 3600 + minutes * 60;
                Some(if sign == b'-' { -offset } else { offset })
            }
            _ => Some(0),
        }
    }
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

// Both ways between a date and the days since 1970 go through a year that starts in March, so that
// the leap day is its last: then the months before it are always 153 days in five.

/// Days of 400 years.
const ERA: i64 = 146_097;
/// Days from the first of March of the year 0 to 1970.
const EPOCH: i64 = 719_468;

fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA + year * 365 + year / 4 - year / 100 + day_of_year - EPOCH
}

fn date(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = year + era * 400;
    if month < 10 {
        (year, month + 3, day)
    } else {
        (year + 1, month - 9, day)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_valid() {
            return Err(ser::Error::custom(
                "a timestamp is outside of the years 1 to 9999",
            ));
        }
        serializer.serialize_str(str::from_utf8(&self.text()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time such as 2025-10-28T10:30:00.000Z")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse()
                    .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}

impl Check for Timestamp {
    fn check(&self, path: &Path<'_>, violations: &mut Vec<FieldViolation>) {
        // Only protobuf can bring one that is not.
        if !self.is_valid() {
            path.report("must be in the years 1 to 9999", violations);
        }
    }
}
