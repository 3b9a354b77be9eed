//! How fields are read: what the generated `Deserialize` code calls.

use std::{collections::BTreeMap, fmt, marker::PhantomData, sync::LazyLock};

use base64::{
    Engine as _,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde::{
    Deserialize,
    de::{
        DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected,
        Visitor, value::MapAccessDeserializer,
    },
};

use crate::operation::Wire;

/// A message whose fields can be read one by one.
pub(crate) trait Read: Wire {
    /// Which of [`Wire::FIELDS`] has this name.
    fn key(name: &str) -> Option<usize>;

    /// Reads the value of that field.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: usize, map: &mut A) -> Result<(), A::Error>;
}

/// The names of an enum.
pub(crate) trait Names {
    /// Each name and its number.
    const NAMES: &'static [(&'static str, i32)];
}

/// Reads a message.
pub(crate) fn message<'de, T: Read, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(MessageVisitor(PhantomData))
}

struct MessageVisitor<T>(PhantomData<T>);

impl<'de, T: Read> Visitor<'de> for MessageVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut message = T::default();
        let mut seen = 0_u64;
        while let Some(key) = map.next_key_seed(KeySeed::<T>(PhantomData))? {
            let Some(key) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if seen & (1 << key) != 0 {
                return Err(twice(
                    T::FIELDS.get(key).map_or("", |field| field.json_name),
                ));
            }
            seen |= 1 << key;
            message.read(key, &mut map)?;
        }
        Ok(message)
    }
}

/// Two values under one name: which of them counts would differ from reader to reader.
pub(crate) fn twice<E: Error>(name: &str) -> E {
    E::custom(format_args!("`{name}` is given more than once"))
}

struct KeySeed<T>(PhantomData<T>);

impl<'de, T: Read> DeserializeSeed<'de> for KeySeed<T> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T: Read> Visitor<'_> for KeySeed<T> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(T::key(name))
    }
}

/// Reads one kind of value.
pub(crate) trait Codec {
    /// What a field of this kind holds.
    type Value: Default;

    /// Reads a value that is there.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error>;

    /// Reads a value that may be `null`, which means that there is none.
    fn read_nullable<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self::Value>, D::Error> {
        deserializer.deserialize_option(NullableVisitor::<Self>(PhantomData))
    }
}

struct NullableVisitor<C: ?Sized>(PhantomData<C>);

impl<'de, C: Codec + ?Sized> Visitor<'de> for NullableVisitor<C> {
    type Value = Option<C::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        C::read(deserializer).map(Some)
    }
}

/// Hands a codec to a `MapAccess` or a `SeqAccess`.
struct Seed<C>(PhantomData<C>);

impl<'de, C: Codec> DeserializeSeed<'de> for Seed<C> {
    type Value = C::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        C::read(deserializer)
    }
}

struct NullableSeed<C>(PhantomData<C>);

impl<'de, C: Codec> DeserializeSeed<'de> for NullableSeed<C> {
    type Value = Option<C::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        C::read_nullable(deserializer)
    }
}

/// A field with presence.
pub(crate) fn optional<'de, C: Codec, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<Option<C::Value>, A::Error> {
    map.next_value_seed(NullableSeed::<C>(PhantomData))
}

/// A field without presence.
pub(crate) fn singular<'de, C: Codec, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<C::Value, A::Error> {
    Ok(optional::<C, A>(map)?.unwrap_or_default())
}

/// A list.
pub(crate) fn repeated<'de, C: Codec, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<Vec<C::Value>, A::Error> {
    singular::<List<C>, A>(map)
}

/// A map with string keys.
pub(crate) fn map<'de, C: Codec, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<BTreeMap<String, C::Value>, A::Error> {
    singular::<Entries<C>, A>(map)
}

/// A member of a oneof.
pub(crate) fn member<'de, C: Codec, T, A: MapAccess<'de>>(
    map: &mut A,
    slot: &mut Option<T>,
    variant: fn(C::Value) -> T,
    names: &'static str,
) -> Result<(), A::Error> {
    let Some(value) = optional::<C, A>(map)? else {
        return Ok(());
    };
    if slot.is_some() {
        return Err(A::Error::custom(format_args!(
            "only one of {names} may be set"
        )));
    }
    *slot = Some(variant(value));
    Ok(())
}

struct List<C>(PhantomData<C>);

impl<C: Codec> Codec for List<C> {
    type Value = Vec<C::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(Self(PhantomData))
    }
}

impl<'de, C: Codec> Visitor<'de> for List<C> {
    type Value = Vec<C::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(Seed::<C>(PhantomData))? {
            values.push(value);
        }
        Ok(values)
    }
}

struct Entries<C>(PhantomData<C>);

impl<C: Codec> Codec for Entries<C> {
    type Value = BTreeMap<String, C::Value>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(Self(PhantomData))
    }
}

impl<'de, C: Codec> Visitor<'de> for Entries<C> {
    type Value = BTreeMap<String, C::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.contains_key(&key) {
                return Err(twice(&key));
            }
            entries.insert(key, map.next_value_seed(Seed::<C>(PhantomData))?);
        }
        Ok(entries)
    }
}

/// A string.
pub(crate) struct Text;

impl Codec for Text {
    type Value = String;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer)
    }
}

/// A boolean.
pub(crate) struct Bool;

impl Codec for Bool {
    type Value = bool;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        bool::deserialize(deserializer)
    }
}

/// A message, or another type that reads itself.
pub(crate) struct Message<T>(PhantomData<T>);

impl<T: for<'de> Deserialize<'de> + Default> Codec for Message<T> {
    type Value = T;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Any JSON value: here `null` is a value.
pub(crate) struct AnyValue;

impl Codec for AnyValue {
    type Value = crate::Value;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        crate::Value::deserialize(deserializer)
    }

    fn read_nullable<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self::Value>, D::Error> {
        Self::read(deserializer).map(Some)
    }
}

/// A whole number: a JSON number without a fraction (`10.0` and `1e1` have none), or the
/// text of one.
#[derive(Clone, Copy)]
pub(crate) struct Int32;

impl Codec for Int32 {
    type Value = i32;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Int32 {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of 32 bits")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<i32, E> {
        value
            .try_into()
            .map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<i32, E> {
        value
            .try_into()
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<i32, E> {
        let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
        if value.fract() != 0.0 || !range.contains(&value) {
            return Err(E::invalid_value(Unexpected::Float(value), &self));
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        Ok(value as i32)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<i32, E> {
        let invalid = || E::invalid_value(Unexpected::Str(value), &Self);
        value.parse().or_else(|_| {
            let number: f64 = value.parse().map_err(|_| invalid())?;
            self.visit_f64(number).map_err(|_: E| invalid())
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<i32, A::Error> {
        Int32.visit_f64(number(map)?)
    }
}

/// Whether this is no name but the mark of a number.
///
/// Any crate of a program can switch on serde_json's feature `arbitrary_precision`, for all of them.
/// Then a number of unknown kind is handed out as an object that has its text under this name.
pub(crate) fn is_number_key(name: &str) -> bool {
    static IS_ON: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok());
    name == "$serde_json::private::Number" && *IS_ON
}

/// A number in that form, or an object where there should be a number.
fn number<'de, A: MapAccess<'de>>(map: A) -> Result<f64, A::Error> {
    let number = serde_json::Number::deserialize(MapAccessDeserializer::new(map))?;
    number
        .as_f64()
        .ok_or_else(|| A::Error::custom("number out of range"))
}

/// An enum: its name or its number. A number without a name is kept, so that what a newer peer
/// says is not lost on its way through.
pub(crate) struct Enum<T>(PhantomData<T>);

impl<T: Names> Codec for Enum<T> {
    type Value = i32;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        deserializer.deserialize_any(Self(PhantomData))
    }
}

impl<'de, T: Names> Visitor<'de> for Enum<T> {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of ")?;
        // Zero is the unspecified value, which nobody should send.
        for (index, (name, _)) in T::NAMES.iter().filter(|(_, n)| *n != 0).enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<i32, E> {
        let found = T::NAMES.iter().find(|(name, _)| *name == value);
        found
            .map(|(_, number)| *number)
            .ok_or_else(|| E::invalid_value(Unexpected::Str(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<i32, E> {
        Int32.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<i32, E> {
        Int32.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<i32, E> {
        Int32.visit_f64(value)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<i32, A::Error> {
        Int32.visit_f64(number(map)?)
    }
}

/// Bytes: base64 in the standard or in the URL-safe alphabet, padded or not.
pub(crate) struct Bytes;

/// Bits after the last byte are ignored, as Google's own readers do.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD_ENGINE: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
const URL_SAFE_ENGINE: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);

impl Codec for Bytes {
    type Value = bytes::Bytes;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl Visitor<'_> for Bytes {
    type Value = bytes::Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64 text")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        let engine = if value.contains(['-', '_']) {
            URL_SAFE_ENGINE
        } else {
            STANDARD_ENGINE
        };
        // The text itself may be megabytes: the error does not repeat it.
        let bytes = engine
            .decode(value)
            .map_err(|error| E::custom(format_args!("not base64 text: {error}")))?;
        Ok(bytes.into())
    }
}
