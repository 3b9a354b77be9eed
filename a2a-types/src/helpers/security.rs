use crate::security_scheme::Scheme;
use crate::{
    ApiKeySecurityScheme, HttpAuthSecurityScheme, MutualTlsSecurityScheme, OAuth2SecurityScheme,
    OpenIdConnectSecurityScheme, SecurityRequirement, SecurityScheme, StringList,
};

impl SecurityRequirement {
    /// An alternative that needs one scheme, with these scopes (none for schemes without scopes).
    /// `with_schemes` makes one that needs several at once.
    pub fn of(
        scheme: impl Into<String>,
        scopes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Self::default().with_schemes([(scheme, StringList::default().with_list(scopes))])
    }
}

macro_rules! scheme {
    ($($variant:ident: $scheme:ident;)*) => {$(
        impl From<$scheme> for SecurityScheme {
            fn from(scheme: $scheme) -> Self {
                Self { scheme: Some(Scheme::$variant(scheme)) }
            }
        }
    )*};
}

scheme! {
    ApiKeySecurityScheme: ApiKeySecurityScheme;
    HttpAuthSecurityScheme: HttpAuthSecurityScheme;
    Oauth2SecurityScheme: OAuth2SecurityScheme;
    OpenIdConnectSecurityScheme: OpenIdConnectSecurityScheme;
    MtlsSecurityScheme: MutualTlsSecurityScheme;
}
