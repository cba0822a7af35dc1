/* Rows of a pitch that is a number or a product, each filled up to a length: `x[b * 64 + i]` for
 * every `i < n`, or `x[b * 64 + 63 - i]`, keeps to its own row where n is 64 at most. The length
 * may be a parameter, or be looked up for each row. */
#include "precondition/lengths.h"

#include "precondition/lift.h"
#include "precondition/propose.h"
#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

typedef struct look {
    checker *k;
    const ix_access *access;
    require_proposal propose;
    require_length_proposal propose_length;
    void *search;
} look;

/* `own + value <= end + times * looked_up`, where `own` is what the block adds to the start of its
 * row. */
typedef struct bound {
    smt_t own, end;
    smt_t looked_up;  /* an element of a table; NULL: there is none */
    bool is_unsigned; /* the element is read as unsigned */
    smt_int value, times;
} bound;

/* The number that an element read as unsigned stands for. */
static smt_t without_sign(smt_ctx *ctx, smt_t term)
{
    bool wraps = term->kind == SMT_ITE && !smt_is_bool(term) &&
                 smt_is_const(smt_sub(ctx, term->args[1], term->args[2]), NULL);
    return wraps ? term->args[2] : term;
}

static bool bound_of(checker *k, smt_t condition, bound *b)
{
    smt_ctx *ctx = k->ctx;
    smt_t sum = condition->kind == SMT_LE ? condition->args[0] : NULL;
    if (!sum || sum->kind != SMT_SUM)
        return false;
    *b = (bound){smt_int_const(ctx, 0), smt_int_const(ctx, 0), NULL, false, sum->value, 1};
    bool any = false;
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t part = sum->args[i], element = without_sign(ctx, part);
        if (term_is_launch_constant(k, part)) {
            b->end = smt_sub(ctx, b->end, smt_scale(ctx, part, sum->coefs[i]));
        } else if (sum->coefs[i] < 0 && !b->looked_up && summary_contents_arg(k->s, element) >= 0) {
            b->looked_up = element;
            b->times = -sum->coefs[i];
            b->is_unsigned = element != part;
        } else if (sum->coefs[i] > 0) {
            b->own = smt_add(ctx, b->own, smt_scale(ctx, part, sum->coefs[i]));
            any = true;
        } else {
            return false;
        }
    }
    return any;
}

/* Bytes from one of the bound's places to the next, below 0 where rows are filled from the end, and
 * what the address has besides; false where the address is no such sum. */
static bool rest_of(checker *k, smt_t bytes, smt_t own, smt_int *apart, smt_t *rest)
{
    smt_ctx *ctx = k->ctx;
    if (own->kind != SMT_SUM)
        own = smt_add(ctx, own, smt_int_const(ctx, 1)); /* the shape of a sum */
    if (bytes->kind != SMT_SUM || own->kind != SMT_SUM)
        return false;
    *apart = 0;
    for (uint32_t i = 0; i < bytes->n_args; i++)
        if (bytes->args[i] == own->args[0])
            *apart = bytes->coefs[i] % own->coefs[0] ? 0 : bytes->coefs[i] / own->coefs[0];
    if (*apart == 0)
        return false;
    *rest = bytes;
    for (uint32_t i = 0; i < own->n_args; i++)
        *rest = smt_sub(ctx, *rest, smt_scale(ctx, own->args[i], *apart * own->coefs[i]));
    for (uint32_t i = 0; i < own->n_args; i++)
        if (smt_contains(*rest, own->args[i]))
            return false;
    return true;
}

/* Returns the factor of a summand that is the same for the whole launch. */
static smt_t weight_of(checker *k, smt_t summand, smt_int coef)
{
    smt_t weight = smt_int_const(k->ctx, coef);
    for (uint32_t i = 0; summand->kind == SMT_PROD && i < summand->n_args; i++)
        if (term_is_launch_constant(k, summand->args[i]))
            weight = smt_mul(k->ctx, weight, summand->args[i]);
    return weight;
}

/* Does the summand name a row by its number? A start that is looked up is a segment's, which has no
 * pitch. */
static bool names_a_row(const checker *k, smt_t summand)
{
    return !term_element_in(k, summand) && !term_is_launch_constant(k, summand);
}

/* Returns how many places, `apart` bytes from each other, a row of that pitch has before one
 * belongs to another row. With a pitch of 63 and every second place, the places of the next row lie
 * between its own. */
static smt_t room_of(checker *k, smt_t pitch, smt_int apart)
{
    smt_int whole;
    if (!smt_is_const(pitch, &whole))
        return require_exact_quotient(k->ctx, pitch, smt_int_const(k->ctx, apart));
    return smt_int_const(k->ctx, whole / smt_gcd(whole, apart));
}

/* Each row has room for `room` places. */
static void propose(const look *l, const bound *b, smt_t room)
{
    smt_ctx *ctx = l->k->ctx;
    smt_t most = smt_add(ctx, room, smt_int_const(ctx, b->value - 1));
    int arg = b->looked_up ? summary_contents_arg(l->k->s, b->looked_up) : -1;
    if (b->looked_up)
        /* Negative numbers are large ones where they are read as unsigned. */
        l->propose_length(l->search, arg, b->is_unsigned ? smt_int_const(ctx, 0) : NULL,
                          smt_div(ctx, smt_sub(ctx, most, b->end), smt_int_const(ctx, b->times)));
    else if (!smt_is_const(b->end, NULL))
        l->propose(l->search, PRECONDITION_STRIDE_RELATION, smt_le(ctx, b->end, most));
}

static void look_at_bound(void *user, smt_t condition)
{
    const look *l = user;
    checker *k = l->k;
    bound b;
    smt_int apart;
    smt_t rest;
    if (!bound_of(k, condition, &b) || !rest_of(k, l->access->bytes, b.own, &apart, &rest))
        return;
    for (uint32_t i = 0; rest->kind == SMT_SUM && i < rest->n_args; i++) {
        if (!names_a_row(k, rest->args[i]) || rest->coefs[i] <= 0)
            continue;
        smt_t weight = weight_of(k, rest->args[i], rest->coefs[i]);
        smt_t room = room_of(k, weight, apart < 0 ? -apart : apart);
        smt_int number;
        if (room && (!smt_is_const(room, &number) || number > 1))
            propose(l, &b, room);
    }
}

void require_look_at_lengths(checker *k, const ix_access *a, require_proposal to,
                             require_length_proposal to_length, void *search)
{
    look l = {k, a, to, to_length, search};
    smt_visit(k->ctx, a->mask, look_at_bound, &l);
    smt_visit(k->ctx, a->path, look_at_bound, &l);
}
