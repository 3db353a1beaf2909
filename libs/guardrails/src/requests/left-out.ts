/** What a text has to look like to be left out where it stands; whatever looks otherwise is looked at. */
type LeftOut = { readonly why: string; readonly names: ReadonlySet<string>; readonly form: Form };

type Form = { test(text: string): boolean };

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const PREFIX = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+(?:=[\w.+-]*)?)*;base64,/;
const NOT_BASE64 = /[^\w+/=-]/;
const NOT_ESCAPED_BASE64 = /[^\w+/=\\-]|\\[^/]/;

/** Bytes in base64, of any length, in which slashes may be escaped; with the beginning of a data URL or without. */
const BYTES: Form = {
  test: (text) => {
    const bytes = text.slice(PREFIX.exec(text.slice(0, 256))?.[0].length ?? 0);
    const other = bytes.search(NOT_BASE64);
    return other === -1 || (bytes[other] === '\\' && !NOT_ESCAPED_BASE64.test(bytes));
  },
};

/**
 * What is not looked at in a request, by the name of the member that it stands in. Whatever is not here is looked at: a member that
 * a vendor adds tomorrow is, until it gets a line.
 */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    why: 'words of the interface, which choose and say nothing',
    // prettier-ignore
    names: set('type role status object phase format effort quality ttl service_tier detail media_type mime_type mode summary generate_summary verbosity size background style output_format input_fidelity moderation search_context_size syntax reasoning_effort encoding_format execution action ranker truncation response_format stream_format timestamp_granularities include modalities finish_reason stop_reason native_finish_reason obfuscation'),
    form: /^[a-z](?:[a-z]|\d{1,8}(?!\d)|[_./+-](?=[a-z\d])){0,63}$/,
  },
  {
    why: 'ids, which have to come back unchanged: random ones look like numbers of cards and like keys',
    // prettier-ignore
    names: set('id model call_id tool_call_id tool_use_id item_id response_id previous_response_id file_id message_id connector_id approval_request_id vector_store_ids container conversation system_fingerprint'),
    form: /^[\w.|:+/=-]{1,4096}$/,
  },
  {
    why: 'pictures, sound and files as bytes, and what providers encrypted or signed',
    // prettier-ignore
    names: set('data file_data b64_json partial_image_b64 url image_url file_url signature thought_signature encrypted_content encrypted_index encrypted_stdout'),
    form: BYTES,
  },
  {
    why: 'credentials for the servers of tools, which the request is meant to carry',
    names: set('authorization authorization_token headers'),
    form: /^(?:\w{1,32} )?[\w.~+/=-]{1,8192}$/,
  },
];

/** At the top: the model, in place of which its provider gets its own name for it, and what the gateway takes out. */
export const NEVER_SENT: ReadonlySet<string | number> = set('model weir requesty');

/** Texts that would mean something else, or nothing, with a placeholder in them: names that others refer to, addresses, patterns. */
// prettier-ignore
export const UNMASKABLE: ReadonlySet<string> = set(
  'name stop stop_sequences required pattern $ref url uri image_url file_url file_uri server_url server_label voice tool_choice tool_names tool_name allowed_tools allowed_domains blocked_domains allowed_callers namespace variables headers',
);

/** Names that interfaces give to members. In what is the caller's own, such as the input of a tool, they are looked at all the same. */
// prettier-ignore
export const INTERFACE_NAMES: ReadonlySet<string> = set(
  'action additionalProperties allOf allowed_callers allowed_domains allowed_tools annotations anyOf approximate arguments audio authorization authorization_token auto_cache background best_of blocked_domains body budget_tokens cache cache_control call_id chunking_strategy citations city code combine const container content contentEncoding contentMediaType context context_management conversation country custom data default defer_loading definitions delta dependentRequired dependentSchemas description detail dimensions disable_parallel_tool_use display_height_px display_name display_width_px echo edits effort else enabled encoding_format encrypted_content enum environment error error_code examples exclusiveMaximum exclusiveMinimum execution extra_body file file_data file_id file_url filename filters finish_reason format frequency_penalty function function_call functions generate_summary grammar headers id if image image_url images include include_usage index input input_audio input_examples input_fidelity input_file input_schema instructions is_error item_reference items json_schema key keep keyword language limit logit_bias logprobs mask max max_completion_tokens max_num_results max_output_tokens max_tokens max_tool_calls max_uses maxItems maxLength maxProperties maximum mcp_servers media_type messages metadata minItems minLength minProperties minimum modalities mode model moderation multipleOf n name namespace none not oneOf output output_compression output_config output_format page_age parallel_tool_calls parameters partial_images pattern patternProperties phase prediction prefixItems presence_penalty previous_response_id prompt prompt_cache_breakpoint prompt_cache_key prompt_cache_retention properties propertyNames quality queries query ranker ranking_options reasoning reasoning_content reasoning_details reasoning_effort refusal region require_approval required response_format results role safe_prompt safety_identifier schema score_threshold search_context_size seconds seed server_description server_label server_url service_tier signature size source sources speed start_index end_index status stop stop_sequences store stream stream_format stream_options strict style suffix summary syntax system tags temperature text then thinking timestamp_granularities timezone title token tool_call_id tool_calls tool_choice tool_configuration tool_use_id tools top_k top_logprobs top_p trace_id truncation ttl type unevaluatedProperties uniqueItems url user user_id user_location value variables vector_store_ids verbosity voice web_search_options $defs $ref $schema $id $comment',
);

/** Members at the top whose numbers are settings. Of others no one here knows what they are. */
// prettier-ignore
export const SETTINGS: ReadonlySet<string | number> = set(
  'audio background best_of cache_control context_management dimensions echo encoding_format frequency_penalty functions include input logit_bias logprobs max_completion_tokens max_output_tokens max_tokens max_tool_calls mcp_servers messages modalities n output_config output_format parallel_tool_calls presence_penalty prompt reasoning reasoning_effort response_format seed service_tier store stream stream_options system temperature text thinking tool_choice tools top_k top_logprobs top_p truncation web_search_options',
);
