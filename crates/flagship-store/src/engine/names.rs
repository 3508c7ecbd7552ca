//! Enums with named variants. The names are stored and displayed.

/// Adds `ALL` and `as_str` to an enum: `names!(Kind; Login = "login", List = "list")`.
macro_rules! names {
    ($type:ident; $($variant:ident = $name:literal),+) => {
        impl $type {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The variant's name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}
pub(crate) use names;
