//! Requests certificates by ACME (RFC 8555) with the HTTP challenge. The answers to challenges are
//! served by the listener for plain HTTP.

use std::collections::HashMap;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, ChallengeType, Error, HttpClient,
    Identifier, NewAccount, NewOrder, Order, OrderStatus, RetryPolicy,
};
use parking_lot::Mutex;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client};

use super::files::CertificateFiles;
use super::retry::{RenewalError, reason};

/// Time limit for a response of the ACME server.
const ANSWER_MAX: Duration = Duration::from_secs(30);
/// Maximum number of bytes read from a response.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Time limit for a certificate, from the first request on.
const ATTEMPT_MAX: Duration = Duration::from_secs(5 * 60);
/// Polls an order until the server has validated the domain or issued the certificate.
const POLLING: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(2 * 60));
/// Error type of a request with an account that the server does not know.
const NO_ACCOUNT: &str = "urn:ietf:params:acme:error:accountDoesNotExist";

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

/// Client of an ACME server, for the certificate of one domain.
pub struct Acme {
    domain: String,
    directory: String,
    http: Client,
    files: CertificateFiles,
    /// Answers to open challenges, by token.
    answers: Mutex<HashMap<String, String>>,
}

impl Acme {
    /// Creates a client that verifies the server with the certificates in the PEM file `root`, or
    /// else with the system's.
    pub fn new(
        domain: &str,
        directory: &str,
        root: Option<&Path>,
        files: CertificateFiles,
    ) -> anyhow::Result<Self> {
        // An error means that a provider is already installed.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut http = Client::builder().timeout(ANSWER_MAX).redirect(Policy::none());
        if let Some(root) = root {
            let say = || format!("read the certificates in --acme-root `{}`", root.display());
            let pem = std::fs::read(root).with_context(say)?;
            let roots = Certificate::from_pem_bundle(&pem).with_context(say)?;
            ensure!(!roots.is_empty(), "--acme-root `{}` has no certificate", root.display());
            http = http.tls_certs_only(roots);
        }
        Ok(Self {
            domain: domain.to_owned(),
            directory: directory.to_owned(),
            http: http.build().context("set up the client of the ACME server")?,
            files,
            answers: Mutex::default(),
        })
    }

    /// URL of the ACME server.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Returns the answer to an open challenge.
    pub fn answer(&self, token: &str) -> Option<String> {
        self.answers.lock().get(token).cloned()
    }

    /// Requests a certificate. Returns its private key and its chain as PEM.
    pub async fn obtain(&self) -> Result<String, RenewalError> {
        let obtained = tokio::time::timeout(ATTEMPT_MAX, self.order()).await;
        self.answers.lock().clear();
        let late = || RenewalError::Refused("the ACME server did not finish in time".to_owned());
        obtained.unwrap_or_else(|_| Err(late()))
    }

    async fn order(&self) -> Result<String, RenewalError> {
        let names = [Identifier::Dns(self.domain.clone())];
        let wanted = NewOrder::new(&names);
        let mut order = match self.account().await?.new_order(&wanted).await {
            Err(Error::Api(problem)) if problem.r#type.as_deref() == Some(NO_ACCOUNT) => {
                self.new_account().await?.new_order(&wanted).await?
            }
            placed => placed?,
        };
        self.accept_challenges(&mut order).await?;
        match order.poll_ready(&POLLING).await {
            Ok(OrderStatus::Ready) => {}
            failed => return Err(self.failure(&mut order, failed.err()).await),
        }
        let key = order.finalize().await?;
        let chain = order.poll_certificate(&POLLING).await?;
        Ok(format!("{}\n{}", key.trim_end(), chain))
    }

    /// Returns the stored account, or else a new one.
    async fn account(&self) -> Result<Account, RenewalError> {
        match self.files.account(&self.directory) {
            Ok(Some(credentials)) => Ok(Account::builder_with_http(self.transport())
                .from_credentials(credentials)
                .await?),
            Ok(None) => self.new_account().await,
            Err(error) => {
                tracing::warn!("a new account is created at the ACME server: {error:#}");
                self.new_account().await
            }
        }
    }

    async fn new_account(&self) -> Result<Account, RenewalError> {
        let account =
            NewAccount { contact: &[], terms_of_service_agreed: true, only_return_existing: false };
        let builder = Account::builder_with_http(self.transport());
        let created = builder.create(&account, self.directory.clone(), None).await;
        let (account, credentials) = created?;
        if let Err(error) = self.files.keep_account(&self.directory, &credentials) {
            tracing::warn!("the account at the ACME server is not stored: {error:#}");
        }
        Ok(account)
    }

    /// Publishes the answers to the challenges of an order, and asks the server to check them.
    async fn accept_challenges(&self, order: &mut Order) -> Result<(), RenewalError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let challenge = authorization.challenge(ChallengeType::Http01);
            let mut challenge = challenge.ok_or_else(|| {
                RenewalError::Refused("the ACME server offers no http-01 challenge".to_owned())
            })?;
            let answer = challenge.key_authorization().as_str().to_owned();
            self.answers.lock().insert(challenge.token.clone(), answer);
            challenge.set_ready().await?;
        }
        Ok(())
    }

    /// Returns the reason why an order failed: the failed challenge, or else `error`.
    async fn failure(&self, order: &mut Order, error: Option<Error>) -> RenewalError {
        let mut authorizations = order.authorizations();
        while let Some(Ok(mut authorization)) = authorizations.next().await {
            let Ok(state) = authorization.refresh().await else { continue };
            let failed = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
            if let Some(problem) = failed {
                return RenewalError::Refused(format!(
                    "the ACME server could not verify {}: {}. The domain must point to this \
                     server, and port 80 must be reachable from the internet",
                    self.domain,
                    reason(problem)
                ));
            }
        }
        let unknown = || RenewalError::Refused("the ACME server refused the order".to_owned());
        error.map_or_else(unknown, RenewalError::from)
    }

    fn transport(&self) -> Box<dyn HttpClient> {
        Box::new(Transport(self.http.clone()))
    }
}

/// Sends the requests of the ACME library.
struct Transport(Client);

impl HttpClient for Transport {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let http = self.0.clone();
        Box::pin(async move { exchange(http, request).await.map_err(Error::Other) })
    }
}

async fn exchange(
    http: Client,
    request: Request<BodyWrapper<Bytes>>,
) -> Result<BytesResponse, BoxedError> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let request = reqwest::Request::try_from(Request::from_parts(parts, body))?;
    let response: Response<reqwest::Body> = http.execute(request).await?.into();
    let (parts, body) = response.into_parts();
    let body = Limited::new(body, ANSWER_BYTES_MAX).collect().await?.to_bytes();
    Ok(Response::from_parts(parts, Full::new(body)).into())
}
