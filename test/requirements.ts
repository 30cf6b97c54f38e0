/**
 * Every sentence of the service specification that can be checked, and every abuse that is reckoned with, under an id.
 * Tests cite ids in their titles, in brackets; test/requirements.test.ts fails on an id that no test cites and on a
 * citation that names no id.
 */
export const requirements: Record<string, string> = {
  // What the service does
  'SERVICE-1': "Publishes one candidate's professional profile as JSON.",
  'SERVICE-2': 'Every endpoint except POST /auth/token requires bearer-token authentication.',
  'SERVICE-3': 'The MCP server exposes the same data as resources and as tools; each maps to one REST endpoint.',

  // Resources and their fields
  'DATE-1': 'Dates are strings in YYYY-MM-DD format; null means the value is absent or the item is current.',
  'CANDIDATE-1':
    'Candidate: id, name, title, location, summary (strings), years_experience (number), domains (array of string).',
  'EXPERIENCE-1':
    'Experience entry: id, company, company_start_date, company_end_date (date or null), current, summary, roles.',
  'EXPERIENCE-2': 'The id of an entry is usable as {id} in GET /experience/{id}.',
  'EXPERIENCE-3': 'company_end_date is null when the entry is current.',
  'ROLE-1':
    'Role: title, start_date, accomplishments required; end_date a date or null, null when the role is current.',
  'PROJECT-1': 'Project summary: id, name, summary.',
  'PROJECT-2': 'The id of a project is usable as {id} in GET /projects/{id}.',
  'AVAILABILITY-1': 'Availability: status, a free string.',
  'RESUME-1': 'Resume, structured form: name, title, experience, skills, all required.',
  'RESUME-2':
    'Resume experience entry: company, company_start_date, company_end_date, current, roles; it has no id and no summary.',
  'RESUME-3': 'Resume, PDF form: url, an absolute URL of a downloadable PDF of the resume.',
  'TOKEN-1': 'Token request: email, required, validated before a token is issued.',
  'TOKEN-2': 'Token response: access_token, a signed bearer token, and token_type, the value Bearer.',
  'CONTACT-1': 'Contact request: name, email, company, message, all strings.',
  'CONTACT-2': 'Contact response: id, identifier of the created contact request, and status, received.',
  'ERROR-1': 'Error object: error.code, machine-readable, and error.message, human-readable.',

  // States and transitions
  'STATE-1': 'An entry or role is current (current = true, end date null) or past (current = false, end date set).',

  // Endpoints
  'REST-1': 'Request and response bodies are application/json.',
  'REST-2': 'The success status of GET /resume is 200.',
  'REST-3': 'POST /auth/token sends an auth-request e-mail notification and returns a signed bearer token.',
  'REST-4': 'GET /experience?current=true restricts the result to current entries.',
  'REST-5': 'GET /experience?current=false restricts the result to past entries.',
  'REST-6': 'GET /experience without current returns all entries.',
  'REST-7': 'GET /experience/{id} returns 404 with code NOT_FOUND when no entry has that id.',
  'REST-8': 'GET /resume without format behaves as format=json.',
  'REST-9': 'Availability is at /contact/availability; MCP refers to it as GET /availability.',
  'REST-10': 'GET /candidate answers the Candidate object.',
  'REST-11': 'GET /projects answers an array of Project summary; GET /projects/{id} one project.',
  'REST-12': 'POST /contact takes {name, email, company, message} and answers {id, status}.',

  // MCP resources
  'MCP-1': 'All resources are under candidate-profile://profile and have MIME type application/json.',
  'MCP-2': 'A resource read returns exactly one contents entry: uri, mimeType, text.',
  'MCP-3': 'text holds a pretty-printed JSON string of the data.',
  'MCP-4':
    'The resources are candidate, experience, projects, availability, resume/json and resume/pdf, with their titles.',
  'MCP-5': 'The content of each resource is that of its REST endpoint.',

  // MCP tools
  'MCP-6':
    'Every tool result has content, one item of type text holding pretty-printed JSON, and structuredContent.data.',
  'MCP-7': 'Read tools have readOnlyHint true and idempotentHint true.',
  'MCP-8': 'Mutation tools have readOnlyHint false and idempotentHint false.',
  'MCP-9': 'All tools have destructiveHint false and openWorldHint true.',
  'MCP-10':
    'The tools are get_candidate, list_experience, get_experience, list_projects, get_project, get_availability, get_resume, create_auth_token, create_contact.',
  'MCP-11': 'list_experience takes current (boolean, optional): true = current only, false = past only.',
  'MCP-12': 'get_experience and get_project take id; get_resume takes format (json or pdf, default json).',
  'MCP-13': 'The two mutation tools appear only when the deployment enables them.',
  'MCP-14': 'create_auth_token creates a bearer token and triggers the e-mail notification flow.',
  'MCP-15': 'create_contact takes name, email, company and message.',

  // Authentication
  'AUTH-1': 'The scheme is HTTP bearer; the token is a signed JWT.',
  'AUTH-2': 'POST /auth/token with {email} gives a token that opens every other request.',
  'AUTH-3': 'A protected endpoint answers 401 UNAUTHORIZED `A valid bearer token is required` without a token.',
  'AUTH-4': 'The same for a token that is invalid or altered.',

  // Events
  'EVENT-1': 'POST /auth/token and create_auth_token send an auth-request e-mail notification.',

  // Errors
  'ERROR-2': 'An error response body is {error: {code, message}}.',
  'ERROR-3': 'POST /auth/token without email: 400 BAD_REQUEST `email is required`.',
  'ERROR-4': 'POST /auth/token with an invalid address: 400 BAD_REQUEST `email must be a valid email address`.',
  'ERROR-5': 'An invalid request on GET /experience: 400 BAD_REQUEST.',
  'ERROR-6': 'An invalid request on GET /resume: 400 BAD_REQUEST.',
  'ERROR-7': 'An invalid request on POST /contact: 400 BAD_REQUEST.',
  'ERROR-8': '404 NOT_FOUND has the message `The requested resource could not be found.`',

  // Versioning
  'VERSION-1': 'The interface description carries the version label 1.0.0 and a single server at {base_url}.',
  'VERSION-2': 'Paths carry no version segment.',

  // What can go wrong, and what happens then
  'TRUST-1':
    'alg none, confusion of algorithms, kid, jku, jwk, x5u and crit tricks, a zero signature, a wrong typ: 401 with one constant body; the reason only in the log.',
  'TRUST-2':
    'An altered payload or signature, base64url that is not canonical, padding, white space, 2, 4 or 5 parts: 401.',
  'TRUST-3': 'exp past, nbf or iat more than 60 s ahead, wrong or missing iss, aud, sub, jti, dates as strings: 401.',
  'TRUST-4':
    'A token over 4 KB, two Authorization headers, a token in the query or a cookie: 401; 431 above 16 KB of headers.',
  'TRUST-5': 'A revoked jti or address, a retired key: 401 within 2 s.',
  'TRUST-6':
    'Bombing a third party through POST /auth/token: mail goes to the owner only, and what is too much becomes one digest. A reply goes only to the address of a stored message, one at a time, by the signed-in owner, at most 60 an hour.',
  'TRUST-7': 'Lists, groups and comments in an address: 400.',
  'TRUST-8': 'CR, LF, NUL, C0, C1, U+2028 in name or company: 400; a message may have newlines and tabs.',
  'TRUST-9':
    'Homographs, bidi, zero-width and tag characters: stored as sent, shown as visible escapes in mail and console; check warns about them in a profile.',
  'TRUST-10':
    'Contact spam: 429 per subject, per address block and globally; what is too much for the mail of an hour becomes one digest, and nothing is dropped from the store.',
  'TRUST-11': 'Mass token issue: 429 for the block that does it; nobody else is refused.',
  'TRUST-12': 'Regular expressions: length first, linear ones only.',
  'TRUST-13': 'A body over 64 KB, or one claiming 10 GB: 413 before parsing, readable.',
  'TRUST-14': 'Deep nesting, huge numbers: 400.',
  'TRUST-15': 'A gzip or br body: 415, never inflated.',
  'TRUST-16': 'A wrong content type, as of a cross-site simple request: 415.',
  'TRUST-17':
    '__proto__ and duplicate keys: own properties only, the last wins; lone surrogates and invalid UTF-8: 400.',
  'TRUST-18': 'Traversal, %00, %2f, %zz, overlong UTF-8, ids of 10 KB: 404.',
  'TRUST-19': 'Host and X-Forwarded-Host never get into a URL: BASE_URL alone does.',
  'TRUST-20':
    'DNS rebinding on /mcp: 403 for a bad Host, and separately for a bad Origin, null included; at a public https address every origin may call.',
  'TRUST-21': 'Guessed session ids: there are none; the header is ignored.',
  'TRUST-22':
    'Streams: at most 2 subscriptions a subject, 20 a network block, 200 in all; the oldest of a full block is ended first.',
  'TRUST-23': 'TRACE and wrong methods: 405; a method override is ignored.',
  'TRUST-24': 'current=TRUE, 1, yes, empty, repeated, current[]: 400.',
  'TRUST-25': 'Smuggling (CL and TE, two CL, obs-fold, bare LF, chunk tricks, two Host headers): 400 and close.',
  'TRUST-26':
    'Slow headers, bodies and readers, idle sockets: 408 or close; at most 50 sockets an address, no global cap.',
  'TRUST-27':
    'Secrets never stand in logs, errors or the process list; a weak key, or one that others can read, stops the start.',
  'TRUST-28': 'Nothing that a bearer token opens returns contact requests; mail is text, quoted and labelled.',
  'TRUST-29': 'A full disk or an I/O error: 503 for writes, 200 for reads, healed without a restart.',
  'TRUST-30':
    'SMTP down, tarpit, greylisting, 5xx, lost acknowledgement: the API is unaffected; retries with jitter up to 1 h, 24 h in all, then a dead letter and outbox retry.',
  'TRUST-31':
    'kill -9, power cut, SIGTERM under load: nothing acknowledged is lost; at most the mail in flight comes twice, under the same Message-ID.',
  'TRUST-32': 'A clock that is off: a token from up to 60 s ahead is accepted, one from further ahead is not.',
  'TRUST-33': 'A profile saved half-written or invalid: the last good one serves, /readyz says stale.',
  'TRUST-34': 'What was erased is in no file, log or later backup.',
  'TRUST-35':
    "One message that a mail server refuses, in a digest with honest ones: the digest is sent again without what visitors wrote (who, when, a link), so that nobody's report is lost; a mail takes at most 2 MB.",
  'TRUST-36': "Token requests that use up the hour's mails: what waits then comes in one digest, messages first.",
  'TRUST-37': 'A token revoked, or a visitor erased, while a body is still coming: 401, nothing stored.',
  'TRUST-38': 'A body that hangs under an idempotency key: its retry is not held up.',
  'TRUST-39':
    'MCP lists, prompts, completions and batches in bulk, answers that nobody reads: each message counts against the read quota; batches of at most 10, computed one by one; at most 64 MB more memory.',
  'TRUST-40':
    'Another process locks the database: no read waits for the lock, writes are 503 within 2 s, healed within 1 s of its release.',
  'TRUST-41':
    'A huge or wrong file saved as the profile: read in linear time, 1 MiB in at most 0.5 s; the first 100 faults are told.',
  'TRUST-42': 'A backup with triggers or foreign tables: refused, because its schema must be what our migrations make.',
  'TRUST-43':
    'Other spellings of an address (punycode, NFD, case): one canonical form for quotas, revoking and erasing.',
  'TRUST-44': 'A page in a browser, against a service on loopback too: it needs a token like everybody.',
  'TRUST-45':
    'Anybody without a token, at any path and by any method: no field of the profile but those that the owner lists under public.',
  'TRUST-46':
    'A link to the desk that is guessed, replayed, expired, or opened by a program that checks mail: it signs nobody in; once used, its secret is in no file or log.',
  'TRUST-47':
    'A form that another site sends to the desk, a planted session cookie, a form token of another session, another Host: nothing happens.',
  'TRUST-48':
    'Links to the desk that strangers ask for: 3 an hour for a network and 5 for all, outside the mail budget, the same answer each time, no dead letter.',
  'TRUST-49':
    "A flood of reads, to fill the disk or to hide others in the reader's record: bounded a second, a token and in all; room is taken from the tokens that read most.",
  'TRUST-50':
    "A token for somebody else's address: it shows and erases what was read with this token, and nothing of other tokens of the address.",
  'TRUST-51':
    'A visitor erased, or a token revoked, while reads wait to be recorded, in any process: none of them is recorded.',
  'TRUST-52':
    'A profile at an address that redirects, hangs, is gone, too large, a gzip bomb or invalid: the last good one serves, also after a restart, and /readyz says stale; query, user name and password are in no output and no file.',
  'TRUST-53':
    "A link to this site with somebody else's address to return to, or with a request that is refused: a page, and no redirect to where anybody may have registered.",
  'TRUST-54':
    'A code or refresh token that is stolen, guessed or used twice; PKCE missing, plain or wrong: invalid_grant; a second use ends all that the first got, unless a client repeats a refresh within 30 s.',
  'TRUST-55':
    "A client under another's name, a form from another site, a request of another browser: the page says where it leads, and nothing is allowed.",
  'TRUST-56':
    'A client whose document is on this machine, in its network, redirects, hangs or is huge: it is not connected to, or refused; 10 documents a minute a network.',
  'TRUST-57':
    'Clients registered in bulk: 429 after 20 an hour for a network and 500 in all; those that nobody uses are erased after a day.',
  'TRUST-58':
    'A visitor erased on PostgreSQL, with grants, codes and refresh tokens too: no byte of the address is in a table or an index.',
  'TRUST-59':
    "The owner's note of a reader of whom nothing else is kept: seen at the desk, erased KEEP_READS after they were last seen, and told of on /privacy and by contacts erase.",
  'TRUST-60':
    'Calls at once that each renew the same tokens, or a client that never got the answer: for 30 s the same tokens, nothing extended; later, or after the next refresh token was used, the grant ends.',
  'TRUST-61':
    'A name server that never answers, while clients name documents on hosts that it should resolve: other networks sign in as before, and no other name waits for it.',
  'TRUST-62':
    'The page of a request loaded without end, or a document that fails named again and again: neither is fetched for again, each fetch is charged to the network that asks, and other clients connect.',
  'TRUST-63':
    'A PostgreSQL database that was read-only for a while: written again without a restart, as soon as it can be.',
  'TRUST-64':
    'One line with many networks, to use up a quota of all visitors: an IPv6 /56 has twice the quota of a /64, and less than all together.',
  'TRUST-65':
    'DELETE /me without end: 429 after 10 an hour for a token; meanwhile tokens are issued to others as fast as before.',
  'TRUST-66':
    'A profile that takes minutes to print: names and titles are one line of 300 characters, words 1,000; printing ends after 20 s of processor time, or 120 s by the clock, in a process of its own, and the service answers all the while.',
  'TRUST-67':
    'A code used twice at once, or a refresh token used once more by another client, in any process: the grant ends with all its tokens.',
  'TRUST-68':
    'Requests for consent that are sent to fill the disk: 2 KB of state, 10,000 under way, beyond which the oldest end, and of one IPv6 /56 at most 120 new ones a minute, too few for that in their half hour; expired ones are erased each minute.',
  'TRUST-69':
    'Requests from 10,100 networks, to drop counters kept in memory: each kind of quota has 10,000 of its own, so that a token that has used up its reads gets no more.',
  'TRUST-71':
    'A long paragraph in a script from right to left, or mixed, or with many names such as C++: it is printed to its end. /readyz says that printing failed, not why: no path of the machine.',
  'TRUST-72':
    'A visitor who allows a request, goes back and allows it with another address: the tokens are of that address.',
  'TRUST-73':
    'Forms without a valid token, in bulk or huge: 30 a minute for a network are shown again, then 429 without what was sent; of a field no more than it takes.',
  'TRUST-74':
    'An address to return to that starts a program of the operating system, or an e-mail address that mail programs read as another: refused.',
  'TRUST-75':
    'The cookie of a visitor: one that somebody else has set is not taken over; a form of another site or session does nothing; REST and MCP ignore it; it opens nothing once its token is revoked or has expired, or its visitor is erased. The database holds a keyed hash of it, and of a token 20 at most.',
  'TRUST-76':
    'A hostile PDF or Word document to import, encrypted, damaged, a bomb or with scripts: read in a process of its own, which ends after 20 s of processor time or 120 s by the clock, at 512 MiB, and once it waits with the service; it has no variable of its environment, reads no file but its code, writes none, starts no program and has no network; a sentence for each, nothing run, opened or fetched.',
  'TRUST-77':
    'A stranger guesses SETUP_CODE, or learns it later: ten guesses an hour for a network, 60 for all. From the first profile on, even if that is lost, the code opens nothing, and every session that it opened has ended, except that of the author.',
  'TRUST-78':
    'A body that trickles in past the end of what allowed it (session, token, link, setup code): who asks is read again after it, on every route, and nothing is done. Before the first profile a session may do what makes it, and nothing else; the first publish ends every other session of the setup code, all links and all proposals before the file is written, and leaves nothing unpublished.',
  'TRUST-79':
    'A PDF, a document for Word, a photo or a number of pages of an older text, or of another person: never served as the newest. Until that is printed, the file is 503 with Retry-After, and a page that looks again by itself.',
  'TRUST-80':
    'What the owner types, if an answer or the connection is lost, the session or the browser ends, or the service is killed: the browser keeps it until it is acknowledged, the database from then on; none is lost or there twice.',
  'TRUST-81':
    'Two tabs, two browsers or another program that change the profile at once: different values are both kept; of one value both are shown, and nothing is published before the owner chooses. A file that cannot be read is not overwritten unseen.',
};
