/* Order of plain accesses: token chains per may-alias class, as CUDA Tile C++ threads them.
 *
 * A load comes after the last store of its class, a store after all earlier accesses; loads are not
 * ordered among themselves. A release comes after everything before it, and everything after an
 * acquire comes after the acquire. The chains are hidden variables, so branches and loops carry
 * them: a loop that only loads joins each iteration's token into a carried one. */
#include "dialect/lower.h"

#include "base/ds.h"

static dl_value token_value(ir_value *token)
{
    return dl_of(token, false, false);
}

int dl_order_new(dl *L)
{
    dl_order order = {
        .store = dl_hidden(L, "stored", token_value(L->entry_token)),
        .all = dl_hidden(L, "accessed", token_value(L->entry_token)),
    };
    arrput(L->orders, order);
    return (int)arrlenu(L->orders) - 1;
}

ir_value *dl_join(dl *L, ir_value **tokens, size_t n)
{
    ir_value **list = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++) {
        /* Nothing comes before the entry token, so it adds nothing to others. */
        bool known = tokens[i] == L->entry_token;
        for (uint32_t j = 0; j < count && !known; j++)
            known = list[j] == tokens[i];
        if (!known)
            list[count++] = tokens[i];
    }
    if (count == 0)
        return L->entry_token;
    if (count == 1)
        return list[0];
    ir_operand_list group = {list, count};
    const ir_type *type = ir_type_token(L->module);
    return &dl_build(L, IR_OP_JOIN_TOKENS, &group, 1, &type, NULL)->results[0];
}

static ir_value *held(dl *L, uint32_t var)
{
    return L->vars[var].now.ir;
}

/* Token after all accesses of a class so far. */
static ir_value *flush(dl *L, dl_order *order)
{
    if (arrlenu(order->loads) > 0) {
        ir_value *all = held(L, order->all), *store = held(L, order->store);
        if (all != store) /* else every load below is after it */
            arrput(order->loads, all);
        ir_value *joined = dl_join(L, order->loads, arrlenu(order->loads));
        arrsetlen(order->loads, 0);
        dl_set(L, order->all, token_value(joined));
    }
    return held(L, order->all);
}

void dl_order_flush(dl *L)
{
    for (size_t i = 0; i < arrlenu(L->orders); i++)
        flush(L, &L->orders[i]);
}

static bool in_class(int class, size_t order)
{
    return class == DL_ORDER_ANY || class == (int)order;
}

static bool is_release(const dl_access *access)
{
    return access->writes && (access->ordering == IR_RELEASE || access->ordering == IR_ACQ_REL);
}

static bool is_acquire(const dl_access *access)
{
    return access->reads && (access->ordering == IR_ACQUIRE || access->ordering == IR_ACQ_REL);
}

ir_value *dl_order_before(dl *L, const dl_access *access)
{
    if (access->by_hand)
        return access->after;
    size_t n = arrlenu(L->orders), count = 0;
    ir_value **tokens = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (is_release(access) || (access->writes && in_class(access->order, i)))
            tokens[count++] = flush(L, &L->orders[i]);
        else if (in_class(access->order, i))
            tokens[count++] = held(L, L->orders[i].store);
    }
    tokens[count++] = held(L, L->acquired);
    return dl_join(L, tokens, count);
}

void dl_order_after(dl *L, const dl_access *access, ir_value *token)
{
    if (access->by_hand)
        return;
    for (size_t i = 0; i < arrlenu(L->orders); i++) {
        dl_order *order = &L->orders[i];
        if (!in_class(access->order, i))
            continue;
        if (!access->writes) {
            arrput(order->loads, token);
            continue;
        }
        arrsetlen(order->loads, 0);
        dl_set(L, order->store, token_value(token));
        dl_set(L, order->all, token_value(token));
    }
    if (is_acquire(access)) /* the token is after the last acquire, as dl_order_before asked for */
        dl_set(L, L->acquired, token_value(token));
}

ir_value *dl_order_everything(dl *L)
{
    size_t n = arrlenu(L->orders);
    ir_value **tokens = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (size_t i = 0; i < n; i++)
        tokens[i] = flush(L, &L->orders[i]);
    tokens[n] = held(L, L->acquired);
    return dl_join(L, tokens, n + 1);
}

void dl_order_fence(dl *L, ir_value *token)
{
    for (size_t i = 0; i < arrlenu(L->orders); i++) {
        arrsetlen(L->orders[i].loads, 0);
        dl_set(L, L->orders[i].store, token_value(token));
        dl_set(L, L->orders[i].all, token_value(token));
    }
    dl_set(L, L->acquired, token_value(token));
}

ir_value *dl_order_of(dl *L, int class)
{
    size_t n = arrlenu(L->orders), count = 0;
    ir_value **tokens = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (size_t i = 0; i < n; i++)
        if (in_class(class, i))
            tokens[count++] = flush(L, &L->orders[i]);
    tokens[count++] = held(L, L->acquired);
    return dl_join(L, tokens, count);
}

void dl_order_join(dl *L, int class, ir_value *token)
{
    for (size_t i = 0; i < arrlenu(L->orders); i++) {
        if (!in_class(class, i))
            continue;
        ir_value *all = flush(L, &L->orders[i]), *store = held(L, L->orders[i].store);
        ir_value *store_pair[] = {store, token}, *all_pair[] = {all, token};
        ir_value *stored = dl_join(L, store_pair, 2);
        dl_set(L, L->orders[i].store, token_value(stored));
        dl_set(L, L->orders[i].all, token_value(all == store ? stored : dl_join(L, all_pair, 2)));
    }
}
