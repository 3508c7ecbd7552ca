//! Enums whose variants have names, by which they are stored and shown.

/// Gives an enum `ALL` and `as_str`: `names!(Kind; Login = "login", List = "list")`.
macro_rules! names {
    ($type:ident; $($variant:ident = $name:literal),+) => {
        impl $type {
            /// All of them.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}
pub(crate) use names;
